import { type ReactNode, useEffect } from 'react';
import { Navigate } from 'react-router';
import { store } from '#api/stored.ts';
import { WaitingPage } from '#ui/waiting.tsx';
import { useClubBySlug } from './slug.ts';

interface SlugGateProps {
  slug: string | undefined;
  children: (isUnknown: boolean) => ReactNode;
}

/** A known slug leads on to register for that club; an unknown one to the ordinary screen, which says so. */
export function SlugGate({ slug, children }: SlugGateProps) {
  const { data: clubId, isPending, isError } = useClubBySlug(slug);

  useEffect(() => {
    if (clubId) store('selectedClubId', clubId);
  }, [clubId]);

  if (slug === undefined) return children(false);
  if (clubId) return <Navigate to="/register2" replace state={{ selectedClubId: clubId }} />;
  return isPending ? <WaitingPage /> : children(isError);
}
