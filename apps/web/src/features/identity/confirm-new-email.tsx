import { useMutation } from '@tanstack/react-query';
import { identityErrorCode, isDeadLink } from '#api/identity-error.ts';
import { applyActionCode } from '#api/session.ts';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { FormProblem } from '#ui/notice.tsx';
import { messages } from '../../messages.ts';
import { forgetSessionOf } from './forget-session.ts';

export interface EmailActionProps {
  code: string;
  /** The address that using the code leads to. */
  email: string;
  previousEmail: string;
  isDone: boolean;
  onDone: () => void;
}

function wordsOf(error: unknown): string {
  if (identityErrorCode(error) === 'auth/email-already-in-use') return `${messages.emailTaken}.`;
  return isDeadLink(error) ? messages.linkTooOld : messages.somethingWrong;
}

/** Asks before an address is changed, because some mail servers open links by themselves. */
export function ConfirmNewEmail({ code, email, previousEmail, isDone, onDone }: EmailActionProps) {
  const changing = useMutation({
    mutationFn: async () => {
      await applyActionCode(code);
      await forgetSessionOf(previousEmail);
    },
    onSuccess: onDone,
  });
  if (isDone) {
    return (
      <>
        <p role="status">
          Your email address is now <strong>{email}</strong>. Please log in with it.
        </p>
        <ButtonLink to="/">Login</ButtonLink>
      </>
    );
  }
  return (
    <>
      <p>
        From now on you log in as <strong>{email}</strong>, no longer as {previousEmail}, and our mails go to the new
        address.
      </p>
      <p>You will be logged out everywhere.</p>
      <Button isBusy={changing.isPending} onClick={() => changing.mutate()}>
        Confirm new address
      </Button>
      <FormProblem
        words={changing.isError ? wordsOf(changing.error) : ''}
        isShown={changing.isError}
        room={messages.linkTooOld}
      />
    </>
  );
}
