import { useMutation } from '@tanstack/react-query';
import { identityErrorCode, isDeadLink } from '#api/identity-error.ts';
import { applyActionCode, recoverEmail } from '#api/session.ts';
import { getStart } from '#tenant/current.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { FormProblem, Help, Notice } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { messages } from '../../messages.ts';
import { forgetSessionOf } from './forget-session.ts';

interface EmailActionProps {
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
      <p>You will be logged out everywhere. You then log in with the new address, and our emails go there.</p>
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

/**
 * The embedded service invalidates the password with the change; a Firebase project keeps it until a new one is chosen.
 */
const afterwards = () =>
  getStart().config.identity.selfHostedUrl === null
    ? 'You are logged out everywhere, and we send you a link to choose a new password. Please use it right away: the old one works until then.'
    : 'You are logged out everywhere, the password no longer works, and we send you a link to choose a new one.';

/** Restores an account's former address and offers a new password. */
export function UndoEmailChange({ code, email, previousEmail, isDone, onDone }: EmailActionProps) {
  const undoing = useMutation({
    mutationFn: async () => {
      await recoverEmail(code, email);
      await forgetSessionOf(previousEmail);
    },
    onSuccess: onDone,
  });
  if (isDone) {
    return (
      <>
        <p role="status">
          Your email address is <EmailAddress address={email} /> again. We have sent a link to it: please choose a new
          password now.
        </p>
        <Help>
          If your bank accounts were changed too, please <TextLink to="/support">contact us</TextLink>.
        </Help>
        <TextLink to="/">Login</TextLink>
      </>
    );
  }
  return (
    <>
      <p>
        The email address of your account was changed to <EmailAddress address={previousEmail} />. If this was not you,
        change it back to <EmailAddress address={email} />.
      </p>
      <p>{afterwards()}</p>
      <Button isBusy={undoing.isPending} onClick={() => undoing.mutate()}>
        Undo the change
      </Button>
      <FormProblem
        words={isDeadLink(undoing.error) ? messages.linkTooOld : messages.somethingWrong}
        isShown={undoing.isError}
      />
    </>
  );
}
