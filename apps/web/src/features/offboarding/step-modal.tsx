import * as contract from '@sparechange/contract';
import { type OffboardingStatus, type OffboardingStep, whatStepDoes } from '@sparechange/domain/offboarding';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, isUnanswered } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { identityErrorCode } from '#api/identity-error.ts';
import { queryClient } from '#api/query-client.ts';
import { isGivenUp } from '#api/recent-sign-in.ts';
import { confirmPassword, removeUser } from '#api/session.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { forgetSession } from '#features/identity/forget-session.ts';
import { messages } from '#messages.ts';
import { Modal, ModalActions, modalFoot } from '#ui/modal.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { saveFile } from '#ui/save-file.ts';
import styles from './offboarding-actions.module.css';

interface StepModalProps {
  step: Exclude<OffboardingStep, 'close'>;
  status: OffboardingStatus;
  onCancel: () => void;
  onDone: () => void;
}

/** Explains a step before it is taken. */
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
      <ModalActions
        problem={{ words: messages.somethingWrong, isShown: take.isError && !isGivenUp(take.error) }}
        onCancel={onCancel}
        action={button}
        isBusy={take.isPending}
        onAction={() => take.mutate()}
      />
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

/** Closing cannot be undone, so it asks for the password. */
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
        <ModalActions
          problem={{ words: problem ?? '', isShown: problem !== undefined, room: messages.loginFailed }}
          onCancel={onCancel}
          action="Close account"
          isDangerous
          isBusy={state === 'busy'}
        />
      </form>
    </Modal>
  );
}

interface StepWords {
  title: string;
  about: string;
  button: string;
  /** Replaces the button where there is nothing to do. */
  already: string;
  done: string;
}

export const stepWords: Record<OffboardingStep, StepWords> = {
  pause: {
    title: 'Pause round-ups',
    about: 'Take a break. Everything stays as it is.',
    button: 'Pause',
    already: 'Paused',
    done: 'Your round-ups are paused. We have emailed you.',
  },
  stop: {
    title: 'Stop debits',
    about: 'Cancel your authority to debit.',
    button: 'Stop',
    already: 'No authority',
    done: 'Your debits have stopped. We have emailed you.',
  },
  withdraw: {
    title: 'Withdraw consent',
    about: 'End your bank connection.',
    button: 'Withdraw',
    already: 'Not connected',
    done: 'Your consent is withdrawn. We have emailed you.',
  },
  delete: {
    title: 'Delete bank data',
    about: 'Delete your accounts and purchases.',
    button: 'Delete',
    already: 'None kept',
    done: 'What can be is deleted. We have emailed you.',
  },
  download: {
    title: 'Download everything',
    about: 'A copy of all we hold about you.',
    button: 'Download',
    already: '',
    done: 'Your download has started. We have emailed you.',
  },
  close: {
    title: 'Close account',
    about: 'Leave for good.',
    button: 'Close',
    already: '',
    done: '',
  },
};

/** The call of each step but closing. */
const takeStep: Record<Exclude<OffboardingStep, 'close'>, (cdrid: string) => Promise<unknown>> = {
  pause: (cdrid) => call(contract.setPaused, { cdrid, isUserPausedRoundUp: true }),
  stop: (cdrid) => call(contract.stopDebits, { cdrid }),
  withdraw: (cdrid) => call(contract.withdrawConsent, { cdrid }),
  delete: (cdrid) => call(contract.deleteBankData, { cdrid }),
  download: async (cdrid) => {
    const { fileName, zip } = await call(contract.downloadEverything, { cdrid });
    const bytes = Uint8Array.from(atob(zip), (letter) => letter.charCodeAt(0));
    saveFile([bytes], { name: fileName, type: 'application/zip' });
  },
};

/**
 * Closes the account and forgets it in the browser; after a lost answer, only once the account is known to be closed.
 */
export async function closeAccount(cdrid: string): Promise<void> {
  const { identity } = await call(contract.closeAccount, { cdrid }).catch(async (error: unknown) => {
    if (isUnanswered(error) && (await isShutOut(cdrid))) return { identity: 'removed' as const };
    throw error;
  });
  if (identity === 'not ours') await removeUser().catch((error: unknown) => console.error(error)); // no token of it counts any more
  await forgetSession();
}

/** Returns true where the session, whose password was just confirmed, is over: for the server, or with its user. */
const isShutOut = (cdrid: string): Promise<boolean> =>
  call(contract.retrieveOffboardingStatus, { cdrid }).then(
    () => false,
    (error: unknown) =>
      (error instanceof ApiError && error.code === 'signed-out') ||
      identityErrorCode(error) === 'auth/user-token-expired',
  );
