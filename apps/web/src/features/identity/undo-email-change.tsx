import { useMutation } from '@tanstack/react-query';
import { isDeadLink } from '#api/identity-error.ts';
import { recoverEmail } from '#api/session.ts';
import { getStart } from '#tenant/current.ts';
import { Button } from '#ui/button.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { Help } from '#ui/helped-problem.tsx';
import { FormProblem } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { messages } from '../../messages.ts';
import type { EmailActionProps } from './confirm-new-email.tsx';
import { forgetSessionOf } from './forget-session.ts';

/** The embedded service ends the password with the change; a Firebase project keeps it until a new one is chosen. */
const afterwards = () =>
  getStart().config.identity.selfHostedUrl === null
    ? 'Everybody is logged out, and we send you a link to choose a new password. Please use it at once: the old one works until then.'
    : 'Everybody is logged out, the password no longer works, and we send you a link to choose a new one.';

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
