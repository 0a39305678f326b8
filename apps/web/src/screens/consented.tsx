import { readBankState } from '@sparechange/contract';
import { useNavigate, useSearchParams } from 'react-router';
import { starting } from '#features/consent/connection.ts';
import { ConnectionPage } from '#features/consent/connection-page.tsx';
import { ConnectionProgress } from '#features/consent/connection-progress.tsx';
import { RenewalReturn, RenewalSignedOut, renewalBegins } from '#features/consent/renewal-return.tsx';
import { useHandoff } from '#features/consent/use-handoff.ts';
import { useHomeTenant } from '#features/consent/use-home-tenant.ts';
import { RequireSession } from '#features/identity/caller.tsx';
import { StepActions } from '#features/onboarding/step-page.tsx';
import { Button } from '#ui/button.tsx';

/** Bank connection progress — /consented (spec sections 2 and 4). */
export default function Consented() {
  const [query] = useSearchParams();
  const jobId = query.get('jobId') ?? undefined;
  const isOpening = useHandoff();
  const isLeaving = useHomeTenant(jobId, query.get('state'));

  const isRenewal = readBankState(query.get('state'))?.isRenewal === true;

  if (isLeaving || isOpening) return isRenewal ? renewalBegins : beginning;
  if (isRenewal) {
    return (
      <RequireSession waiting={renewalBegins} signedOut={<RenewalSignedOut jobId={jobId} />}>
        <RenewalReturn jobId={jobId} />
      </RequireSession>
    );
  }
  return (
    <RequireSession waiting={beginning} signedOut={<Unverified />}>
      <ConnectionProgress jobId={jobId} verify={<VerifyButton />} />
    </RequireSession>
  );
}

const beginning = <ConnectionPage words={starting} state="busy" />;

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
