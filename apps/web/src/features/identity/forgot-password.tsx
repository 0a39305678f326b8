import { lazy, Suspense, useState } from 'react';
import { FormNote, FormSpace } from '#ui/notice.tsx';
import { LinkButton } from '#ui/text-link.tsx';
import styles from './credentials-form.module.css';

const sent = 'If we know that address, an email is on its way.';

const ForgotPasswordModal = lazy(() => import('./forgot-password-modal.tsx'));

/** The link and its modal, which is loaded when it is asked for. */
export function ForgotPassword() {
  const [state, setState] = useState<'closed' | 'open' | 'sent'>('closed');
  return (
    <>
      <span>
        Forgot your password? <LinkButton onClick={() => setState('open')}>Reset it</LinkButton>
      </span>
      <div className={styles.sent}>
        <FormSpace room={sent}>{state === 'sent' && <FormNote>{sent}</FormNote>}</FormSpace>
      </div>
      {state === 'open' && (
        <Suspense>
          <ForgotPasswordModal onClose={() => setState('closed')} onSent={() => setState('sent')} />
        </Suspense>
      )}
    </>
  );
}
