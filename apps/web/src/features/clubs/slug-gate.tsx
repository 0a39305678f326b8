import { findClubBySlug } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Navigate } from 'react-router';
import { call } from '#api/call.ts';
import { store } from '#api/stored.ts';
import { EndedNotice } from '#features/tenants/ended-notice.tsx';
import { WaitingPage } from '#ui/waiting.tsx';

interface SlugGateProps {
  slug: string | undefined;
  children: (isUnknown: boolean) => ReactNode;
}

/** Leads a known slug on to registering for that club. An unknown one or one whose campaign has ended learns of it. */
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

/** Looks a club up by its address's slug (docs/rules.md#club-slugs). */
const useClubBySlug = (slug: string | undefined) =>
  useQuery({
    queryKey: ['club by slug', slug],
    queryFn: () => call(findClubBySlug, { club: slug ?? '' }),
    enabled: slug !== undefined,
    retry: false,
  });
