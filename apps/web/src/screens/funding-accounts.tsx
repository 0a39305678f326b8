import { type ReactNode, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ChooseFunding } from '#features/accounts/choose-funding.tsx';
import { DirectDebitTerms } from '#features/accounts/direct-debit-terms.tsx';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { readChosenAccounts } from '#features/onboarding/navigation.ts';
import { ConnectingStepper, SettingUpStepper } from '#features/onboarding/onboarding-stepper.tsx';
import { StepActions, StepPage } from '#features/onboarding/step-page.tsx';
import { type OnboardingState, useOnboardingState } from '#features/onboarding/use-onboarding-state.ts';
import { Button } from '#ui/button.tsx';
import { Help } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { Waiting, WaitingPage } from '#ui/waiting.tsx';
import { messages } from '../messages.ts';

const seenForMs = 4000;

/** Funding account — /funding-accounts; the accounts come with the navigation. */
export default function FundingAccounts() {
  return (
    <RequireSession
      waiting={
        <Step>
          <Waiting />
        </Step>
      }
    >
      <FundingAccount />
    </RequireSession>
  );
}

interface StepProps {
  stepper?: ReactNode;
  children: ReactNode;
}

const Step = ({ stepper = <SettingUpStepper active={2} />, children }: StepProps) => (
  <StepPage stepper={stepper} title="Funding Account">
    {children}
  </StepPage>
);

function FundingAccount() {
  const { cdrid } = useCaller();
  const accounts = readChosenAccounts(useLocation().state, cdrid);
  const navigate = useNavigate();
  if (accounts.length === 0) return <WithoutAccounts />;
  return (
    <Step>
      <DirectDebitTerms />
      <ChooseFunding
        accounts={accounts}
        onSaved={() => void navigate('/finished')}
        onChanged={(fresh) => void navigate('/funding-accounts', { replace: true, state: { accounts: fresh, cdrid } })}
      />
    </Step>
  );
}

/** The steps before this one that lead to accounts. */
const connectFirst = (
  <Help>
    Your bank is not connected yet. <TextLink to="/launch-consent">Connect your bank</TextLink>
  </Help>
);
const selectFirst = (
  <Help>
    They come from the step before this one. <TextLink to="/roundup-accounts">Select Round-Up Accounts</TextLink>
  </Help>
);

/** Waits until the missing step is known, so that nothing moves when its words appear. */
function WithoutAccounts() {
  const state = useOnboardingState();
  return state.kind === 'loading' ? <WaitingPage /> : <NoAccounts state={state} />;
}

/** Goes back automatically after time to read the reason. */
function NoAccounts({ state }: { state: OnboardingState }) {
  const navigate = useNavigate();
  const isConnected = state.kind === 'known' && state.missing !== 'bank';
  const goBack = () => void navigate('/previous-page', { replace: true });

  useEffect(() => {
    const timer = setTimeout(() => void navigate('/previous-page', { replace: true }), seenForMs);
    return () => clearTimeout(timer);
  }, [navigate]);

  return (
    <Step stepper={isConnected ? <SettingUpStepper active={1} /> : <ConnectingStepper />}>
      <p role="status">{messages.noAccounts}</p>
      {state.kind === 'known' && (isConnected ? selectFirst : connectFirst)}
      <StepActions>
        <Button onClick={goBack}>Go Back</Button>
      </StepActions>
    </Step>
  );
}
