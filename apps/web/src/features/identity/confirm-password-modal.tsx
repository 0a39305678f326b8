import { type FormEvent, useState } from 'react';
import type { PasswordRequest } from '#api/recent-sign-in.ts';
import { confirmPassword } from '#api/session.ts';
import { Button } from '#ui/button.tsx';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { messages } from '../../messages.ts';

export default function ConfirmPasswordModal({ request }: { request: PasswordRequest }) {
  const [password, setPassword] = useState('');
  const [state, setState] = useState<'ready' | 'busy' | 'failed'>('ready');

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (state === 'busy') return;
    setState('busy');
    try {
      await confirmPassword(password);
      request.settle(true);
    } catch {
      setState('failed');
    }
  }

  const cancel = () => request.settle(false);
  return (
    <Modal title="Confirm it is you" onClose={cancel}>
      <p>To keep your money and data safe, please enter your password once more.</p>
      <form onSubmit={(event) => void submit(event)}>
        <PasswordField
          label="Password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <ModalActions problem={{ words: messages.loginFailed, isShown: state === 'failed' }}>
          <Button look="quiet" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" isBusy={state === 'busy'}>
            Confirm
          </Button>
        </ModalActions>
      </form>
    </Modal>
  );
}
