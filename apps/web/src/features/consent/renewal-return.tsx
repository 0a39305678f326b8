import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';
import { StepActions, StepPage } from '#features/onboarding/step-page.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { starting, startRenewal } from './connection.ts';
import { ConnectionPage } from './connection-page.tsx';
import { adviceOf } from './consent-advice.ts';
import { readMailedRenewal } from './mailed-renewal.ts';
import { RenewButton } from './renew-button.tsx';
import { notYetRenewed, oneMoreStep, renewed } from './renewal-words.ts';
import { useConnection } from './use-connection.ts';

export const renewalBegins = <ConnectionPage words={starting} state="busy" stepper={null} />;

/** Shows, after a renewal's step at the bank, the next one if any is left. */
export function RenewalReturn({ jobId }: { jobId: string | undefined }) {
  const connection = useConnection(jobId, startRenewal);
  if (connection.step === 'connected') return <Outcome />;
  if (connection.step === 'verification') return <Unclear />;
  return <ConnectionPage words={connection} state="busy" stepper={null} />;
}

function Outcome() {
  const { userId } = useCaller();
  const user = useQuery({ ...userQuery(userId), refetchOnMount: 'always' });
  if (!user.isFetchedAfterMount) return renewalBegins;
  const health = user.data?.consentHealth;
  switch (health?.state) {
    case 'good':
    case 'silent':
      return (
        <Step title="Renewed" words={renewed(health)}>
          <ButtonLink to="/dashboard">Go to Dashboard</ButtonLink>
        </Step>
      );
    case 'ends soon':
      return (
        <Step title="Not Renewed Yet" words={notYetRenewed(health)} isOpen>
          <RenewButton>Renew Consent</RenewButton>
        </Step>
      );
    case 'bank ends soon':
    case 'bank ended':
      return (
        <Step
          title="One More Step"
          words={health.state === 'bank ended' ? adviceOf(health) : oneMoreStep(health)}
          isOpen
        >
          <RenewButton>Confirm at Your Bank</RenewButton>
        </Step>
      );
    default:
      return <Unclear />;
  }
}

interface StepProps {
  title: string;
  words: string | undefined;
  /** True if it can wait. */
  isOpen?: boolean;
  children: ReactNode;
}

const Step = ({ title, words, isOpen = false, children }: StepProps) => (
  <StepPage stepper={null} title={title}>
    <p role="status">{words}</p>
    <StepActions>{children}</StepActions>
    {isOpen && <TextLink to="/dashboard">Later</TextLink>}
  </StepPage>
);

const Unclear = () => (
  <Step title="Thank You" words="Your bank hasn't confirmed yet. Please look again in a few minutes.">
    <ButtonLink to="/linked-accounts">Go to Linked Accounts</ButtonLink>
  </Step>
);

/** Continues a mailed link; anybody else signs in first. */
export function RenewalSignedOut({ jobId }: { jobId: string | undefined }) {
  const mailed = readMailedRenewal();
  if (mailed) return <Navigate to={mailed} replace state={{ isConfirming: jobId !== undefined }} />;
  return (
    <Step title="Thank You" words="Log in to see the state of your bank connection.">
      <ButtonLink to="/linked-accounts">Log In</ButtonLink>
    </Step>
  );
}
