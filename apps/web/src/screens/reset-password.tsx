import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isDeadLink } from '#api/identity-error.ts';
import { checkResetCode } from '#api/session.ts';
import { NewPasswordForm } from '#features/identity/new-password-form.tsx';
import { resetSent, useResetModal } from '#features/identity/reset-modal.tsx';
import { EntryPage } from '#features/tenants/entry-page.tsx';
import { useAddressQuery } from '#ui/address-query.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { Skeleton } from '#ui/card.tsx';
import { FormNote, FormSpace, Notice } from '#ui/notice.tsx';
import { TryAgain } from '#ui/retry.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { messages } from '../messages.ts';
import styles from './reset-password.module.css';

/** The target of the reset email's link — /__/auth/action?mode=resetPassword&oobCode=… */
export default function ResetPassword() {
  return (
    <EntryPage title="Reset Password">
      <div className={styles.space}>
        <NewPassword />
      </div>
    </EntryPage>
  );
}

/** Sends another reset link without visiting the login screen. */
function SendNewLink() {
  const reset = useResetModal('');
  return (
    <>
      <Button onClick={reset.open}>Send a new one</Button>
      <FormSpace room={resetSent}>{reset.isSent && <FormNote>{resetSent}</FormNote>}</FormSpace>
      <TextLink to="/">Login</TextLink>
      {reset.modal}
    </>
  );
}

function NewPassword() {
  const query = useAddressQuery();
  const code = query.get('mode') === 'resetPassword' ? (query.get('oobCode') ?? '') : '';
  const [isDone, setDone] = useState(false);
  const email = useQuery({
    queryKey: ['reset code', code],
    queryFn: () => checkResetCode(code),
    enabled: code !== '' && !isDone,
    retry: false,
    refetchOnWindowFocus: false,
  });

  if (isDone) {
    return (
      <>
        <p role="status">Your password has been changed.</p>
        <ButtonLink to="/">Login</ButtonLink>
      </>
    );
  }
  if (email.isLoading) {
    return (
      <>
        <Skeleton width="80%" height={24} />
        {[72, 72, 48].map((height, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change
          <Skeleton key={place} width="100%" height={height} />
        ))}
      </>
    );
  }
  if (email.isError && !isDeadLink(email.error)) {
    return <TryAgain onRetry={email.refetch}>{messages.somethingWrong}</TryAgain>;
  }
  if (!email.data) {
    return (
      <>
        <Notice>{messages.linkTooOld}</Notice>
        <SendNewLink />
      </>
    );
  }
  return <NewPasswordForm code={code} email={email.data} onDone={() => setDone(true)} />;
}
