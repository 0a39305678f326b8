import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { AccountSkeletons } from '#features/accounts/account-list.tsx';
import { accountsQuery } from '#features/accounts/accounts-query.ts';
import { ChooseTracked } from '#features/accounts/choose-tracked.tsx';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { SettingUpStepper } from '#features/onboarding/onboarding-stepper.tsx';
import { StepActions, StepPage } from '#features/onboarding/step-page.tsx';
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
  return (
    <>
      <Notice kind="information">Your bank shows us no accounts yet.</Notice>
      <StepActions>
        <ButtonLink to="/launch-consent">Connect to your bank again</ButtonLink>
      </StepActions>
    </>
  );
}
