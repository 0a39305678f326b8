import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { identityErrorCode } from '#api/identity-error.ts';
import { isGivenUp, passwordQuestion } from '#api/recent-sign-in.ts';
import { requestEmailChange } from '#api/session.ts';
import { Button } from '#ui/button.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { TextField } from '#ui/text-field.tsx';
import { messages } from '../../messages.ts';

interface ChangeEmailModalProps {
  /** The present address. */
  email: string;
  onClose: () => void;
}

/** Failures caused by the address itself. */
const aboutAddress: Record<string, string> = {
  'auth/email-already-in-use': messages.emailTaken,
  'auth/invalid-new-email': messages.emailInvalid,
  'auth/invalid-email': messages.emailInvalid,
};

const wordsOf = (error: unknown): string =>
  identityErrorCode(error) === 'auth/too-many-requests' ? messages.tooManyRequests : messages.somethingWrong;

const title = 'Change email address';

/** Asks for the new address and emails it a link. */
export function ChangeEmailModal({ email, onClose }: ChangeEmailModalProps) {
  const [newEmail, setNewEmail] = useState('');
  const asking = useMutation({ mutationFn: askToChangeEmail });
  const typed = newEmail.trim();
  const isSame = typed.toLowerCase() === email.toLowerCase();
  const refused = asking.isError ? aboutAddress[identityErrorCode(asking.error) ?? ''] : undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!asking.isPending && !isSame) asking.mutate(typed);
  }

  if (asking.isSuccess) return <SentModal email={email} newEmail={typed} onClose={onClose} />;
  return (
    <Modal title={title} onClose={onClose}>
      <p>
        You log in as <EmailAddress address={email} />. We will send a link to your new address. Nothing changes until
        you open it.
      </p>
      <form onSubmit={submit}>
        <TextField
          label="New email address"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={254}
          value={newEmail}
          error={isSame ? messages.emailSame : refused}
          onChange={(event) => {
            setNewEmail(event.target.value);
            if (asking.isError) asking.reset();
          }}
        />
        <ModalActions
          problem={{
            words: asking.isError ? wordsOf(asking.error) : '',
            isShown: asking.isError && refused === undefined && !isGivenUp(asking.error),
            room: messages.somethingWrong,
          }}
          onCancel={onClose}
          action="Send link"
          isBusy={asking.isPending}
        />
      </form>
    </Modal>
  );
}

function SentModal({ email, newEmail, onClose }: ChangeEmailModalProps & { newEmail: string }) {
  return (
    <Modal title={title} onClose={onClose}>
      <p role="status">
        We have sent a link to <EmailAddress address={newEmail} />. Open it within one day to confirm the change.
      </p>
      <p>
        Until then you log in as <EmailAddress address={email} />.
      </p>
      <ModalActions>
        <Button onClick={onClose}>Done</Button>
      </ModalActions>
    </Modal>
  );
}

/** Emails a link to the new address. Asks for the password in place if the sign-in is not recent. */
async function askToChangeEmail(newEmail: string): Promise<void> {
  try {
    await requestEmailChange(newEmail);
  } catch (error) {
    if (identityErrorCode(error) !== 'auth/requires-recent-login' || !(await passwordQuestion.ask())) throw error;
    await requestEmailChange(newEmail);
  }
}
