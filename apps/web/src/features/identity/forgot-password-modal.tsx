import { useState } from 'react';
import { sendPasswordReset } from '#api/session.ts';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { TextField } from '#ui/text-field.tsx';
import { useSubmission } from '#ui/use-submission.ts';
import { messages } from '../../messages.ts';

interface ForgotPasswordModalProps {
  /** Typed before the modal was opened. */
  email: string;
  onClose: () => void;
  onSent: () => void;
}

export default function ForgotPasswordModal({ email: typed, onClose, onSent }: ForgotPasswordModalProps) {
  const [email, setEmail] = useState(typed);
  const { submit, isBusy, hasFailed } = useSubmission(async () => {
    await sendPasswordReset(email.trim());
    onSent();
  });

  return (
    <Modal title="Forgot Password?" onClose={onClose}>
      <p>We will send you an email with reset instructions.</p>
      <form onSubmit={submit}>
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <ModalActions
          problem={{ words: messages.resetFailed, isShown: hasFailed }}
          onCancel={onClose}
          action="Submit"
          isBusy={isBusy}
        />
      </form>
    </Modal>
  );
}
