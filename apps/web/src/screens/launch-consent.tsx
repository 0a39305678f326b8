import { consent } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { call } from '#api/call.ts';
import { accountsQuery } from '#features/accounts/accounts-query.ts';
import { BankTrust } from '#features/consent/bank-trust.tsx';
import { useConsentLink } from '#features/consent/use-consent-link.ts';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';
import { Needs } from '#features/onboarding/needs.tsx';
import { ConnectingStepper } from '#features/onboarding/onboarding-stepper.tsx';
import { StepActions, StepPage } from '#features/onboarding/step-page.tsx';
import { Button } from '#ui/button.tsx';
import { Help } from '#ui/notice.tsx';
import { LinkButton } from '#ui/text-link.tsx';

const seenForMs = 4000;

/** Launch consent — /launch-consent. */
export default function LaunchConsent() {
  return (
    <StepPage stepper={<ConnectingStepper />} title="Welcome">
      <Needs />
      <BankTrust />
      <RequireSession>
        <Continue />
      </RequireSession>
    </StepPage>
  );
}

/** Leads to the bank, or past it where the bank is connected and only the accounts are still to be chosen. */
function Continue() {
  const { cdrid } = useCaller();
  const navigate = useNavigate();
  const isConnected = useUnfinishedConnection();
  const link = useConsentLink(() => call(consent, { cdrid }));
  const toAccounts = () => void navigate('/finished', { replace: true }); // it leads to the first step not done

  useEffect(() => {
    if (!isConnected || link.isBusy) return;
    const timer = setTimeout(() => void navigate('/finished', { replace: true }), seenForMs);
    return () => clearTimeout(timer);
  }, [isConnected, link.isBusy, navigate]);

  return (
    <>
      <StepActions>
        <Button isBusy={link.isBusy} onClick={isConnected ? toAccounts : link.go}>
          Continue
        </Button>
      </StepActions>
      <div role="status">
        {isConnected && (
          <Help>
            Your bank is connected. We go on where you stopped.{' '}
            <LinkButton onClick={link.go}>Go to your bank again</LinkButton>
          </Help>
        )}
        {link.isError && <Help>Your bank cannot be reached just now. Please press Continue again in a moment.</Help>}
      </div>
    </>
  );
}

function useUnfinishedConnection(): boolean {
  const { userId, cdrid } = useCaller();
  const user = useQuery(userQuery(userId));
  const isUnfinished = user.data?.isConsent === true && !user.data.onboardingComplete;
  const known = useQuery({ ...accountsQuery(cdrid), enabled: isUnfinished });
  return isUnfinished && known.data !== undefined && known.data.length > 0;
}
