import { isReservedSlug } from '@sparechange/domain/reserved-slugs';
import { lazy } from 'react';
import { useParams } from 'react-router';
import { useReferral } from '#features/identity/referral.ts';
import { EndedNotice } from '#features/tenants/ended-notice.tsx';
import { getStart } from '#tenant/current.ts';
import { isCampaignOver } from '#tenant/pages.ts';
import { ClubLanding } from './club-landing.tsx';

const NotFound = lazy(() => import('./not-found.tsx'));
const LookUp = lazy(() => import('./landing-lookup.tsx'));

/** Landing by a club's slug — /:variable (docs/rules.md#club-slugs). */
export function Landing() {
  const { variable = '' } = useParams();
  const slug = variable.toLowerCase();
  const written = getStart().landings?.club;
  useReferral();
  if (isReservedSlug(slug)) return <NotFound />;
  if (isCampaignOver()) return <EndedNotice />;
  return written?.slug === slug ? <ClubLanding slug={slug} landing={written.landing} /> : <LookUp slug={slug} />;
}
