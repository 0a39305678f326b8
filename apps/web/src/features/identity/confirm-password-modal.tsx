import { useState } from 'react';
import { confirmPassword } from '#api/session.ts';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import type { Question } from '#ui/question.ts';
import { useSubmission } from '#ui/use-submission.ts';
import { messages } from '../../messages.ts';

export default function ConfirmPasswordModal({ request }: { request: Question }) {
  const [password, setPassword] = useState('');
  const { submit, isBusy, hasFailed } = useSubmission(async () => {
    await confirmPassword(password);
    request.settle(true);
  });
  const cancel = () => request.settle(false);
  return (
    <Modal title="Confirm it is you" onClose={cancel}>
      <p>To keep your money and data safe, please enter your password once more.</p>
      <form onSubmit={submit}>
        <PasswordField
          label="Password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <ModalActions
          problem={{ words: messages.loginFailed, isShown: hasFailed }}
          onCancel={cancel}
          action="Confirm"
          isBusy={isBusy}
        />
      </form>
    </Modal>
  );
}
