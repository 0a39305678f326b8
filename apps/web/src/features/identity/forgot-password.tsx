import { FormNote, FormSpace } from '#ui/notice.tsx';
import { LinkButton } from '#ui/text-link.tsx';
import styles from './credentials-form.module.css';
import { resetSent, useResetModal } from './reset-modal.tsx';

/** Links to the reset modal; `email` is the typed address. */
export function ForgotPassword({ email = '' }: { email?: string }) {
  const reset = useResetModal(email);
  return (
    <>
      <span>
        Forgot your password? <LinkButton onClick={reset.open}>Reset it</LinkButton>
      </span>
      <div className={styles.sent}>
        <FormSpace room={resetSent}>{reset.isSent && <FormNote>{resetSent}</FormNote>}</FormSpace>
      </div>
      {reset.modal}
    </>
  );
}
