import { retrieveOffboardingStatus } from '@sparechange/contract';
import {
  canTake,
  type OffboardingStatus,
  type OffboardingStep,
  offboardingSteps,
} from '@sparechange/domain/offboarding';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryOf } from '#api/query.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { messages } from '#messages.ts';
import { Button } from '#ui/button.tsx';
import { Missing } from '#ui/retry.tsx';
import styles from './offboarding-actions.module.css';
import { CloseModal, StepModal, stepWords } from './step-modal.tsx';
import { StepsWaiting, stepsHeight } from './steps-waiting.tsx';

const statusQuery = (cdrid: string) => ({
  ...queryOf(retrieveOffboardingStatus, { cdrid }, ({ status }) => status),
  staleTime: 0, // a step under way is shown as it is
});

/** The six ways out, from the mildest to the last. */
export default function OffboardingActions({ onClosed }: { onClosed: () => void }) {
  const { cdrid } = useCaller();
  const { data: status, isError, refetch } = useQuery(statusQuery(cdrid));
  const [chosen, setChosen] = useState<OffboardingStep>();
  const [done, setDone] = useState<OffboardingStep>();
  if (isError) {
    return (
      <Missing height={stepsHeight} onRetry={refetch}>
        {messages.dashboardFailed}
      </Missing>
    );
  }
  if (!status) return <StepsWaiting />;
  const leave = () => setChosen(undefined);
  const finish = (step: OffboardingStep) => {
    setChosen(undefined);
    setDone(step);
  };
  return (
    <>
      <ul className={styles.steps}>
        {offboardingSteps.map((step) => (
          <Row key={step} step={step} status={status} isDone={step === done} onChoose={() => setChosen(step)} />
        ))}
      </ul>
      {chosen === 'close' && <CloseModal status={status} onCancel={leave} onClosed={onClosed} />}
      {chosen && chosen !== 'close' && (
        <StepModal step={chosen} status={status} onCancel={leave} onDone={() => finish(chosen)} />
      )}
    </>
  );
}

interface RowProps {
  step: OffboardingStep;
  status: OffboardingStatus;
  /** True if the step was taken just now. */
  isDone: boolean;
  onChoose: () => void;
}

function Row({ step, status, isDone, onChoose }: RowProps) {
  const { title, about, button, already, done } = stepWords[step];
  return (
    <li>
      <div>
        <h3 className={styles.title}>{title}</h3>
        {isDone ? (
          <p role="status" className={styles.done}>
            {done}
          </p>
        ) : (
          <p className={styles.about}>{about}</p>
        )}
      </div>
      {canTake(step, status) ? (
        <Button
          look="secondary"
          className={`${styles.button} ${step === 'close' ? styles.final : ''}`}
          onClick={onChoose}
          aria-label={title}
          aria-haspopup="dialog"
        >
          {button}
        </Button>
      ) : (
        <span className={styles.already}>{already}</span>
      )}
    </li>
  );
}
