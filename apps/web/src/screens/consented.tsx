import { useNavigate, useSearchParams } from 'react-router';
import { starting } from '#features/consent/connection.ts';
import { ConnectionPage } from '#features/consent/connection-page.tsx';
import { ConnectionProgress } from '#features/consent/connection-progress.tsx';
import { useHomeTenant } from '#features/consent/use-home-tenant.ts';
import { RequireSession } from '#features/identity/caller.tsx';
import { StepActions } from '#features/onboarding/step-page.tsx';
import { Button } from '#ui/button.tsx';

/** Bank connection progress — /consented (spec sections 2 and 4). */
export default function Consented() {
  const [query] = useSearchParams();
  const jobId = query.get('jobId') ?? undefined;
  const isLeaving = useHomeTenant(jobId, query.get('state'));

  if (isLeaving) return <ConnectionPage words={starting} state="busy" />;
  return (
    <RequireSession signedOut={<Unverified />}>
      <ConnectionProgress jobId={jobId} verify={<VerifyButton />} />
    </RequireSession>
  );
}

/** Somebody who comes without a session, such as from another tenant's host, is asked to verify (design section 6). */
const Unverified = () => (
  <ConnectionPage
    words={{
      heading: 'Verification',
      message: 'For security reasons we need you to verify your account by logging in.',
    }}
    state="verification"
  >
    <StepActions>
      <VerifyButton />
    </StepActions>
  </ConnectionPage>
);

function VerifyButton() {
  const navigate = useNavigate();
  return <Button onClick={() => void navigate('/verify')}>Verify My Account</Button>;
}
