import { consent } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation } from 'react-router';
import { call } from '#api/call.ts';
import { BankTrust } from '#features/consent/bank-trust.tsx';
import { useConsentLink } from '#features/consent/use-consent-link.ts';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';
import { readAskForBank } from '#features/onboarding/navigation.ts';
import { Needs } from '#features/onboarding/needs.tsx';
import { ConnectingStepper } from '#features/onboarding/onboarding-stepper.tsx';
import { StepActions, StepPage } from '#features/onboarding/step-page.tsx';
import { Button } from '#ui/button.tsx';
import { Help } from '#ui/notice.tsx';
import { WaitingPage } from '#ui/waiting.tsx';

/** Launch consent — /launch-consent. Leads past the bank where it is connected and a later step is missing. */
export default function LaunchConsent() {
  return (
    <RequireSession waiting={<WaitingPage />}>
      <FirstMissingStep />
    </RequireSession>
  );
}

function FirstMissingStep() {
  const { userId } = useCaller();
  const asksForBank = readAskForBank(useLocation().state);
  const { data: user, isPending, isFetching } = useQuery(userQuery(userId));
  const isPastBank = !asksForBank && user?.isConsent === true && !user.onboardingComplete;
  if (isPending || (isPastBank && isFetching)) return <WaitingPage />; // a Continue pressed too early leads to the bank twice
  if (isPastBank) return <Navigate to="/finished" replace />; // it knows which step is missing
  return (
    <StepPage stepper={<ConnectingStepper />} title="Welcome">
      <Needs />
      <BankTrust />
      <Continue />
    </StepPage>
  );
}

function Continue() {
  const { cdrid } = useCaller();
  const link = useConsentLink(() => call(consent, { cdrid }));
  return (
    <>
      <StepActions>
        <Button isBusy={link.isBusy} onClick={link.go}>
          Continue
        </Button>
      </StepActions>
      <div role="status">
        {link.isError && <Help>Your bank cannot be reached just now. Please press Continue again in a moment.</Help>}
      </div>
    </>
  );
}
