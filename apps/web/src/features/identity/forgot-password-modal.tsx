import { type FormEvent, useState } from 'react';
import { sendPasswordReset } from '#api/session.ts';
import { Button } from '#ui/button.tsx';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { TextField } from '#ui/text-field.tsx';
import { messages } from '../../messages.ts';

interface ForgotPasswordModalProps {
  /** Typed before the modal was opened. */
  email: string;
  onClose: () => void;
  onSent: () => void;
}

export default function ForgotPasswordModal({ email: typed, onClose, onSent }: ForgotPasswordModalProps) {
  const [email, setEmail] = useState(typed);
  const [state, setState] = useState<'ready' | 'busy' | 'failed'>('ready');

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation(); // React passes it on to a form around the modal's opener
    if (state === 'busy') return;
    setState('busy');
    try {
      await sendPasswordReset(email.trim());
      onSent();
    } catch {
      setState('failed');
    }
  }

  return (
    <Modal title="Forgot Password?" onClose={onClose}>
      <p>We will send you an email with reset instructions.</p>
      <form onSubmit={(event) => void submit(event)}>
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <ModalActions problem={{ words: messages.resetFailed, isShown: state === 'failed' }}>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" isBusy={state === 'busy'}>
            Submit
          </Button>
        </ModalActions>
      </form>
    </Modal>
  );
}
