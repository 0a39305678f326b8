import { type OffboardingStatus, type OffboardingStep, whatStepDoes } from '@sparechange/domain/offboarding';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { queryClient } from '#api/query-client.ts';
import { isGivenUp } from '#api/recent-sign-in.ts';
import { confirmPassword } from '#api/session.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { messages } from '#messages.ts';
import { Button } from '#ui/button.tsx';
import { Modal, ModalActions, modalFoot } from '#ui/modal.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { closeAccount } from './close-account.ts';
import { stepWords, takeStep } from './steps.ts';
import styles from './ways-out.module.css';

interface StepModalProps {
  step: Exclude<OffboardingStep, 'close'>;
  status: OffboardingStatus;
  onCancel: () => void;
  onDone: () => void;
}

/** Says what a step does, before it is done. */
export function StepModal({ step, status, onCancel, onDone }: StepModalProps) {
  const { cdrid } = useCaller();
  const { title, button } = stepWords[step];
  const take = useMutation({
    mutationFn: () => takeStep[step](cdrid),
    onSuccess: async () => {
      await queryClient.invalidateQueries(); // accounts, history and settings may all have changed
      onDone();
    },
  });
  return (
    <Modal title={title} onClose={onCancel}>
      <Words step={step} status={status} />
      <ModalActions problem={{ words: messages.somethingWrong, isShown: take.isError && !isGivenUp(take.error) }}>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button isBusy={take.isPending} onClick={() => take.mutate()}>
          {button}
        </Button>
      </ModalActions>
    </Modal>
  );
}

function Words({ step, status }: { step: OffboardingStep; status: OffboardingStatus }) {
  return (
    <ul className={styles.words}>
      {whatStepDoes(step, status).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

interface CloseModalProps {
  status: OffboardingStatus;
  onCancel: () => void;
  onClosed: () => void;
}

const problems: Partial<Record<'ready' | 'busy' | 'wrong password' | 'failed', string>> = {
  'wrong password': messages.loginFailed,
  failed: messages.somethingWrong,
};

/** Closing cannot be undone: it takes the password once more. */
export function CloseModal({ status, onCancel, onClosed }: CloseModalProps) {
  const { cdrid } = useCaller();
  const [password, setPassword] = useState('');
  const [state, setState] = useState<keyof typeof problems>('ready');

  const problem = problems[state];

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (state === 'busy') return;
    setState('busy');
    const isConfirmed = await confirmPassword(password).then(
      () => true,
      () => false,
    );
    if (!isConfirmed) return setState('wrong password');
    try {
      await closeAccount(cdrid);
      onClosed();
    } catch {
      setState('failed');
    }
  }

  return (
    <Modal title={stepWords.close.title} onClose={onCancel}>
      <Words step="close" status={status} />
      <form className={modalFoot} onSubmit={(event) => void submit(event)}>
        <PasswordField
          label="Password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <ModalActions problem={{ words: problem ?? '', isShown: problem !== undefined, room: messages.loginFailed }}>
          <Button look="quiet" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" isBusy={state === 'busy'}>
            Close account
          </Button>
        </ModalActions>
      </form>
    </Modal>
  );
}
