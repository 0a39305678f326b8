import { useParams } from 'react-router';
import { SlugGate } from '#features/clubs/slug-gate.tsx';
import { EndedNotice } from '#features/tenants/ended-notice.tsx';
import { getTenant } from '#tenant/current.ts';
import { hasEnded } from '#tenant/has-ended.ts';
import { Login } from './login.tsx';

/** The landing screen with a club's slug in the address — /:variable (design section 5). */
export default function Landing() {
  const { variable } = useParams();
  if (hasEnded(getTenant(), new Date())) return <EndedNotice />;
  return <SlugGate slug={variable}>{(isUnknown) => <Login isUnknownSlug={isUnknown} />}</SlugGate>;
}
