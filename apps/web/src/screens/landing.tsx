import { isReservedSlug } from '@sparechange/domain/reserved-slugs';
import { lazy, type ReactNode, Suspense } from 'react';
import { useParams } from 'react-router';
import { useReferral } from '#features/identity/referral.ts';
import { EndedNotice } from '#features/tenants/ended-notice.tsx';
import { getStart } from '#tenant/current.ts';
import { isCampaignOver } from '#tenant/pages.ts';
import { WaitingPage } from '#ui/waiting.tsx';
import { ClubLanding } from './club-landing.tsx';

const NotFound = lazy(() => import('./not-found.tsx'));
const LookUp = lazy(() => import('./landing-lookup.tsx'));

const Later = ({ children }: { children: ReactNode }) => <Suspense fallback={<WaitingPage />}>{children}</Suspense>;

/** Landing by a club's slug — /:variable (docs/rules.md#club-slugs). */
export function Landing() {
  const { variable = '' } = useParams();
  const slug = variable.toLowerCase();
  const written = getStart().landings?.club;
  useReferral();
  if (isReservedSlug(slug))
    return (
      <Later>
        <NotFound />
      </Later>
    );
  if (isCampaignOver()) return <EndedNotice />;
  if (written?.slug === slug) return <ClubLanding slug={slug} landing={written.landing} />;
  return (
    <Later>
      <LookUp slug={slug} />
    </Later>
  );
}
