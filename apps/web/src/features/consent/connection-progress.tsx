import { consent } from '@sparechange/contract';
import { type ReactNode, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { StepActions } from '#features/onboarding/step-page.tsx';
import { Button } from '#ui/button.tsx';
import { FormProblem } from '#ui/notice.tsx';
import { messages } from '../../messages.ts';
import type { Connection } from './connection.ts';
import { ConnectionPage } from './connection-page.tsx';
import { causeWords, useConnection } from './use-connection.ts';
import { useConsentLink } from './use-consent-link.ts';

const seenForMs = 1200;

interface ConnectionProgressProps {
  jobId: string | undefined;
  /** The choices of the Verification state beside Retry. */
  verify: ReactNode;
}

/** The progress screen of /consented and /confirmed. */
export function ConnectionProgress({ jobId, verify }: ConnectionProgressProps) {
  const { cdrid } = useCaller();
  const connection = useConnection(jobId);
  const retry = useConsentLink(() => call(consent, { cdrid }));
  useGoOnWhenConnected(connection);

  return (
    <ConnectionPage
      words={connection}
      state={stateOf(connection)}
      isSlow={connection.step === 'searching'}
      {...(connection.step === 'verification' && { reason: causeWords[connection.cause] })}
    >
      {connection.step === 'verification' && (
        <>
          <FormProblem words={messages.somethingWrong} isShown={retry.isError} />
          <StepActions>
            {verify}
            <Button isBusy={retry.isBusy} onClick={retry.go}>
              Retry
            </Button>
          </StepActions>
        </>
      )}
    </ConnectionPage>
  );
}

const stateOf = ({ step }: Connection) => (step === 'connected' || step === 'verification' ? step : 'busy');

function useGoOnWhenConnected({ step }: Connection): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (step !== 'connected') return;
    const timer = setTimeout(() => void navigate('/roundup-accounts', { replace: true }), seenForMs);
    return () => clearTimeout(timer);
  }, [step, navigate]);
}
