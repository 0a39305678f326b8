import { type ReactNode, useEffect } from 'react';
import { Navigate } from 'react-router';
import { store } from '#api/stored.ts';
import { EndedNotice } from '#features/tenants/ended-notice.tsx';
import { WaitingPage } from '#ui/waiting.tsx';
import { useClubBySlug } from './club-by-slug.ts';

interface SlugGateProps {
  slug: string | undefined;
  children: (isUnknown: boolean) => ReactNode;
}

/** Leads from a known slug to registration for its club; says so where a slug is unknown or its campaign has ended. */
export function SlugGate({ slug, children }: SlugGateProps) {
  const { data: club, isPending, isError } = useClubBySlug(slug);
  const clubId = club?.hasEnded ? undefined : club?.clubId;

  useEffect(() => {
    if (clubId) store('selectedClubId', clubId);
  }, [clubId]);

  if (slug === undefined) return children(false);
  if (club?.hasEnded) return <EndedNotice />;
  if (clubId) return <Navigate to="/register2" replace state={{ selectedClubId: clubId }} />;
  return isPending ? <WaitingPage /> : children(isError);
}
