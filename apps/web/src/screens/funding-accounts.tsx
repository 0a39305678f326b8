import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ChooseFunding } from '#features/accounts/choose-funding.tsx';
import { DirectDebitTerms } from '#features/accounts/direct-debit-terms.tsx';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { readChosenAccounts } from '#features/onboarding/navigation.ts';
import { SettingUpStepper } from '#features/onboarding/onboarding-stepper.tsx';
import { StepActions, StepPage } from '#features/onboarding/step-page.tsx';
import { useOnboardingState } from '#features/onboarding/use-onboarding-state.ts';
import { Button } from '#ui/button.tsx';
import { Help } from '#ui/helped-problem.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { messages } from '../messages.ts';

const seenForMs = 4000;

/** Funding account — /funding-accounts; the accounts come with the navigation. */
export default function FundingAccounts() {
  return (
    <StepPage stepper={<SettingUpStepper active={2} />} title="Funding Account">
      <RequireSession>
        <FundingAccount />
      </RequireSession>
    </StepPage>
  );
}

function FundingAccount() {
  const { cdrid } = useCaller();
  const accounts = readChosenAccounts(useLocation().state, cdrid);
  const navigate = useNavigate();
  if (accounts.length === 0) return <NoAccounts />;
  return (
    <>
      <DirectDebitTerms />
      <ChooseFunding accounts={accounts} onSaved={() => void navigate('/finished')} />
    </>
  );
}

/** Names the step that comes before this one, and leads to it. */
function StepBefore() {
  const state = useOnboardingState();
  if (state.kind !== 'known') return null;
  return state.missing === 'bank' ? (
    <Help>
      Your bank is not connected yet. <TextLink to="/launch-consent">Connect your bank</TextLink>
    </Help>
  ) : (
    <Help>
      They come from the step before this one. <TextLink to="/roundup-accounts">Select Round-Up Accounts</TextLink>
    </Help>
  );
}

/** Goes back by itself, late enough for the reason to be read. */
function NoAccounts() {
  const navigate = useNavigate();
  const goBack = () => void navigate('/previous-page', { replace: true });

  useEffect(() => {
    const timer = setTimeout(() => void navigate('/previous-page', { replace: true }), seenForMs);
    return () => clearTimeout(timer);
  }, [navigate]);

  return (
    <>
      <p role="status">{messages.noAccounts}</p>
      <StepBefore />
      <StepActions>
        <Button onClick={goBack}>Go Back</Button>
      </StepActions>
    </>
  );
}
