import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { AccountSkeletons } from '#features/accounts/account-list.tsx';
import { accountsQuery } from '#features/accounts/accounts-query.ts';
import { ChooseTracked } from '#features/accounts/choose-tracked.tsx';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { askForBank } from '#features/onboarding/navigation.ts';
import { ConnectingStepper, SettingUpStepper } from '#features/onboarding/onboarding-stepper.tsx';
import { StepActions, StepPage } from '#features/onboarding/step-page.tsx';
import { useOnboardingState } from '#features/onboarding/use-onboarding-state.ts';
import { ButtonLink } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { TryAgain } from '#ui/retry.tsx';
import { Small, TextLink } from '#ui/text-link.tsx';
import { messages } from '../messages.ts';

/** Round-up accounts — /roundup-accounts. */
export default function RoundUpAccounts() {
  return (
    <RequireSession waiting={waiting}>
      <Accounts />
    </RequireSession>
  );
}

interface StepProps {
  stepper?: ReactNode;
  children: ReactNode;
}

const Step = ({ stepper = <SettingUpStepper active={1} />, children }: StepProps) => (
  <StepPage stepper={stepper} title="Setting Up">
    <p>Transactions will be tracked from the accounts selected below.</p>
    {children}
  </StepPage>
);

const waiting = (
  <Step>
    <AccountSkeletons />
  </Step>
);

/** Distinguishes an unconnected bank from one that shows no accounts. */
function NoAccounts() {
  const state = useOnboardingState();
  if (state.kind === 'loading') return waiting;
  const isConnected = state.kind === 'known' && state.user.isConsent;
  return (
    <Step stepper={isConnected ? undefined : <ConnectingStepper />}>
      <Notice kind="information">
        {isConnected
          ? 'Your bank shows us no accounts yet.'
          : 'Your bank is not connected yet, so there are no accounts to select.'}
      </Notice>
      <StepActions>
        <ButtonLink to="/launch-consent" state={askForBank}>
          {isConnected ? 'Connect to your bank again' : 'Connect your bank'}
        </ButtonLink>
      </StepActions>
    </Step>
  );
}

function Accounts() {
  const { cdrid } = useCaller();
  const navigate = useNavigate();
  const accounts = useQuery(accountsQuery(cdrid));

  if (accounts.data?.length) {
    return (
      <Step>
        <ChooseTracked
          accounts={accounts.data}
          onSaved={(saved) => void navigate('/funding-accounts', { state: { accounts: saved, cdrid } })}
        />
        <Small>
          Is an account missing?{' '}
          <TextLink to="/launch-consent" state={askForBank}>
            Go to your bank again
          </TextLink>
        </Small>
      </Step>
    );
  }
  if (accounts.isPending) return waiting;
  if (accounts.isError) {
    return (
      <Step>
        <TryAgain onRetry={accounts.refetch}>{messages.linkedAccountsFailed}</TryAgain>
      </Step>
    );
  }
  return <NoAccounts />;
}
