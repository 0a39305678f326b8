import { resetSent, useResetModal } from '#features/identity/reset-modal.tsx';
import { LinkButton, TextLink } from '#ui/text-link.tsx';

/** Shown at every failure, so that it reveals no address. */
export const alreadyRegistered = 'Already registered? Login, or reset your password.';

/** Shows the same sentence with its two links. */
export function AlreadyRegistered({ email }: { email: string }) {
  const reset = useResetModal(email);
  return (
    <>
      Already registered? <TextLink to="/">Login</TextLink>, or{' '}
      <LinkButton onClick={reset.open}>reset your password</LinkButton>.
      {reset.isSent && <span role="status"> {resetSent}</span>}
      {reset.modal}
    </>
  );
}
