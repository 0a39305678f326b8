import { useMutation } from '@tanstack/react-query';
import { identityErrorCode, isDeadLink } from '#api/identity-error.ts';
import { applyActionCode } from '#api/session.ts';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { FormProblem, Notice } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
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

const isTaken = (error: unknown): boolean => identityErrorCode(error) === 'auth/email-already-in-use';

/** Asks before changing an address, as mail servers open links. */
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
          Your email address is now <EmailAddress address={email} />. Please log in with it.
        </p>
        <ButtonLink to="/">Login</ButtonLink>
      </>
    );
  }
  if (isTaken(changing.error)) {
    return (
      <>
        <Notice>{messages.emailTaken}.</Notice>
        <p>
          Your email address is still <EmailAddress address={previousEmail} />. You can log in and choose another one
          under your account.
        </p>
        <TextLink to="/">Login</TextLink>
      </>
    );
  }
  return (
    <>
      <p>
        Change the email address of your account from {previousEmail} to <EmailAddress address={email} />?
      </p>
      <p>You will be logged out everywhere. You then log in with the new address, and our mails go there.</p>
      <Button isBusy={changing.isPending} onClick={() => changing.mutate()}>
        Confirm new address
      </Button>
      <FormProblem
        words={isDeadLink(changing.error) ? messages.linkTooOld : messages.somethingWrong}
        isShown={changing.isError}
      />
    </>
  );
}
