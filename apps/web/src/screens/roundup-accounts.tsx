import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { AccountSkeletons } from '#features/accounts/account-list.tsx';
import { accountsQuery } from '#features/accounts/accounts-query.ts';
import { ChooseTracked } from '#features/accounts/choose-tracked.tsx';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { SettingUpStepper } from '#features/onboarding/onboarding-stepper.tsx';
import { StepActions, StepPage } from '#features/onboarding/step-page.tsx';
import { useOnboardingState } from '#features/onboarding/use-onboarding-state.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Notice } from '#ui/notice.tsx';
import { TryAgain } from '#ui/try-again.tsx';
import { messages } from '../messages.ts';

/** Round-up accounts — /roundup-accounts. */
export default function RoundUpAccounts() {
  return (
    <StepPage stepper={<SettingUpStepper active={1} />} title="Setting Up">
      <p>Transactions will be tracked from the accounts selected below.</p>
      <RequireSession>
        <Accounts />
      </RequireSession>
    </StepPage>
  );
}

/** Without a connection there can be no accounts, with one the bank has shown none. */
function NoAccounts() {
  const state = useOnboardingState();
  if (state.kind === 'loading') return <AccountSkeletons />;
  const isConnected = state.kind === 'known' && state.user.isConsent;
  return (
    <>
      <Notice kind="information">
        {isConnected
          ? 'Your bank shows us no accounts yet.'
          : 'Your bank is not connected yet, so there are no accounts to select.'}
      </Notice>
      <StepActions>
        <ButtonLink to="/launch-consent">{isConnected ? 'Connect to your bank again' : 'Connect your bank'}</ButtonLink>
      </StepActions>
    </>
  );
}

function Accounts() {
  const { cdrid } = useCaller();
  const navigate = useNavigate();
  const accounts = useQuery(accountsQuery(cdrid));

  if (accounts.data?.length) {
    return (
      <ChooseTracked
        accounts={accounts.data}
        onSaved={(saved) => void navigate('/funding-accounts', { state: { accounts: saved, cdrid } })}
      />
    );
  }
  if (accounts.isPending) return <AccountSkeletons />;
  if (accounts.isError) {
    return <TryAgain onRetry={accounts.refetch}>{messages.linkedAccountsFailed}</TryAgain>;
  }
  return <NoAccounts />;
}
