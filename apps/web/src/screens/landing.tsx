import { isReservedSlug } from '@sparechange/domain/reserved-slugs';
import { useParams } from 'react-router';
import { SlugGate } from '#features/clubs/slug-gate.tsx';
import { useReferral } from '#features/identity/referral.ts';
import { EndedNotice } from '#features/tenants/ended-notice.tsx';
import { getTenant } from '#tenant/current.ts';
import { hasEnded } from '#tenant/pages.ts';
import { Login } from './login.tsx';
import NotFound from './not-found.tsx';

/** Landing by a club's slug — /:variable (docs/rules.md#club-slugs). */
export default function Landing() {
  const { variable } = useParams();
  useReferral();
  if (variable && isReservedSlug(variable)) return <NotFound />;
  if (hasEnded(getTenant(), new Date())) return <EndedNotice />;
  return <SlugGate slug={variable}>{(isUnknown) => <Login isUnknownSlug={isUnknown} />}</SlugGate>;
}
