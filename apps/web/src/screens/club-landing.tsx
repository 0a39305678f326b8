import type { Landing } from '@sparechange/contract';
import { useEffect } from 'react';
import { store } from '#api/stored.ts';
import { EndedNotice } from '#features/tenants/ended-notice.tsx';
import { Login } from './login.tsx';

/** The landing screen with a club's page; null for a slug that no club has. */
export function ClubLanding({ slug, landing }: { slug: string; landing: Landing | null }) {
  const clubId = landing?.hasEnded === false ? landing.clubId : null;

  useEffect(() => {
    if (clubId) store('selectedClubId', clubId);
  }, [clubId]);

  if (!landing) return <Login isUnknownSlug />;
  return landing.hasEnded ? <EndedNotice /> : <Login club={{ slug, landing }} />;
}
