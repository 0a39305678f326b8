import type { ReactNode } from 'react';
import { ConnectingStepper } from '#features/onboarding/onboarding-stepper.tsx';
import { StepPage } from '#features/onboarding/step-page.tsx';
import { CheckIcon, ShieldIcon } from '#ui/icons.tsx';
import { Help } from '#ui/notice.tsx';
import { Spinner } from '#ui/spinner.tsx';
import styles from './connection-page.module.css';

interface ConnectionPageProps {
  words: { heading: string; message: string };
  state: 'busy' | 'connected' | 'verification';
  stepper?: ReactNode;
  /** Why it stopped, above the message. */
  reason?: string;
  /** True where it may take longer than usual. */
  isSlow?: boolean;
  children?: ReactNode;
}

/** Shows progress at the bank, announced to screen readers. */
export const ConnectionPage = ({
  words,
  state,
  stepper = <ConnectingStepper />,
  reason,
  isSlow = false,
  children,
}: ConnectionPageProps) => (
  <StepPage stepper={stepper} title={words.heading}>
    <div className={styles.reason}>
      {state === 'busy' ? (
        <Help>Nothing to do here.{!isSlow && ' This usually takes under 30 seconds.'}</Help>
      ) : (
        <p>{reason}</p>
      )}
    </div>
    <div className={styles.progress} data-state={state}>
      <span className={styles.coin}>
        {state === 'busy' && <Spinner size={40} />}
        {state === 'connected' && <CheckIcon size={40} />}
        {state === 'verification' && <ShieldIcon size={40} />}
      </span>
      <p role="status" aria-live="polite" className={styles.words}>
        <span key={words.message}>
          <span className="visually-hidden">{words.heading} </span>
          {words.message}
        </span>
      </p>
    </div>
    {children}
  </StepPage>
);
