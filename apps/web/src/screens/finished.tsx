import { onboardingComplete } from '@sparechange/contract';
import { useNavigate } from 'react-router';
import { call } from '#api/call.ts';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { firstVisit } from '#features/identity/use-first-sync.ts';
import { useUserSetting } from '#features/identity/use-user-setting.ts';
import { markFinished } from '#features/onboarding/finished-here.ts';
import { SettingUpStepper } from '#features/onboarding/onboarding-stepper.tsx';
import { StepActions, StepPage } from '#features/onboarding/step-page.tsx';
import { Button } from '#ui/button.tsx';
import { FormProblem } from '#ui/notice.tsx';
import { messages } from '../messages.ts';

/** Onboarding complete — /finished. */
export default function Finished() {
  return (
    <StepPage stepper={<SettingUpStepper active={4} />} title="Thankyou">
      <p>Onboarding has been complete:</p>
      <p>Would you like to backdate your round-ups from the start of this month?</p>
      <RequireSession>
        <Backdate />
      </RequireSession>
    </StepPage>
  );
}

function Backdate() {
  const { cdrid } = useCaller();
  const navigate = useNavigate();
  const complete = useUserSetting(
    (syncBeginningOfMonth: boolean) => call(onboardingComplete, { cdrid, syncBeginningOfMonth }),
    { hasWords: true },
  );
  const goOn = () => {
    markFinished();
    void navigate('/dashboard', { replace: true, state: firstVisit });
  };
  const answer = (isYes: boolean) => complete.isPending || complete.mutate(isYes, { onSuccess: goOn });

  return (
    <>
      <FormProblem words={messages.somethingWrong} isShown={complete.isError} />
      <StepActions>
        <Button
          look="secondary"
          isBusy={complete.isPending && !complete.variables}
          disabled={complete.isPending}
          onClick={() => answer(false)}
        >
          No
        </Button>
        <Button
          isBusy={complete.isPending && complete.variables}
          disabled={complete.isPending}
          onClick={() => answer(true)}
        >
          Yes
        </Button>
      </StepActions>
    </>
  );
}
