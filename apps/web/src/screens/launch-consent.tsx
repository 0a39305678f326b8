import { consent } from '@sparechange/contract';
import { call } from '#api/call.ts';
import { useConsentLink } from '#features/consent/use-consent-link.ts';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { Needs } from '#features/onboarding/needs.tsx';
import { ConnectingStepper } from '#features/onboarding/onboarding-stepper.tsx';
import { StepActions, StepPage } from '#features/onboarding/step-page.tsx';
import { Button } from '#ui/button.tsx';

/** Launch consent — /launch-consent (spec section 2). */
export default function LaunchConsent() {
  return (
    <StepPage stepper={<ConnectingStepper />} title="Welcome">
      <Needs />
      <RequireSession>
        <Continue />
      </RequireSession>
    </StepPage>
  );
}

function Continue() {
  const { cdrid } = useCaller();
  const link = useConsentLink(() => call(consent, { cdrid })); // spec: a failure is only logged
  return (
    <StepActions>
      <Button isBusy={link.isBusy} onClick={link.go}>
        Continue
      </Button>
    </StepActions>
  );
}
