import { requestSignInLink, signInWithPassword } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { PasswordField } from '@sparechange/web/ui/password-field.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { Failure } from '../ui/failure.tsx';
import { useCallForm } from '../ui/form.tsx';
import { Entry, EntryForm, LinkLike, Or, Quiet } from './entry.tsx';
import { CodeField, digitsOf, EmailField, PasskeyNotice } from './fields.tsx';
import { signInWithPasskey } from './passkey.ts';
import { enter } from './session.ts';
import { SingleSignOnButton } from './single-sign-on.tsx';

/** The ways in: a passkey, a password with a code, or for treasurers a mailed link. */
export function SignIn() {
  const [isByMail, setByMail] = useState(false);
  return isByMail ? <ByMail onBack={() => setByMail(false)} /> : <ByPasskey onByMail={() => setByMail(true)} />;
}

function ByPasskey({ onByMail }: { onByMail: () => void }) {
  const passkey = useMutation({ mutationFn: signInWithPasskey, onSuccess: enter });
  const [isByPassword, setByPassword] = useState(false);
  return (
    <Entry title="Sign in">
      <Button isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
        Sign in with a passkey
      </Button>
      {passkey.isError && <PasskeyNotice error={passkey.error} />}
      <SingleSignOnButton />
      {isByPassword && <ByPassword />}
      <div>
        {!isByPassword && <LinkLike onClick={() => setByPassword(true)}>Use a password</LinkLike>}
        <LinkLike onClick={onByMail}>Treasurer of a club? Get a link by email</LinkLike>
      </div>
    </Entry>
  );
}

const focusFirst = (part: HTMLElement | null): void => part?.querySelector('input')?.focus();

/** A password with the code of an authenticator; the press that opened the form is answered by its first field. */
function ByPassword() {
  const password = useMutation({
    mutationFn: (form: FormData) =>
      call(signInWithPassword, {
        email: String(form.get('email')),
        password: String(form.get('password')),
        code: digitsOf(form.get('code')),
      }),
    onSuccess: ({ operator }) => enter(operator),
  });
  const { problem, form } = useCallForm(password.error, password.mutate);
  return (
    <>
      <Or />
      <div ref={focusFirst}>
        <EntryForm {...form}>
          <EmailField problem={problem} />
          <PasswordField label="Password" name="password" required error={problem('password')} />
          <CodeField problem={problem} />
          <Failure of={password.error} />
          <Button type="submit" look="secondary" isBusy={password.isPending}>
            Sign in with a password
          </Button>
        </EntryForm>
      </div>
    </>
  );
}

function ByMail({ onBack }: { onBack: () => void }) {
  const request = useMutation({
    mutationFn: (form: FormData) => call(requestSignInLink, { email: String(form.get('email')) }),
  });
  const { problem, form } = useCallForm(request.error, request.mutate);
  if (request.isSuccess)
    return (
      <Entry title="Check your email">
        <p>If a treasurer has this address, a link is on its way. It works once, within 15 minutes.</p>
        <LinkLike onClick={onBack}>Back to signing in</LinkLike>
      </Entry>
    );
  return (
    <Entry title="Get a link by email">
      <Quiet>For treasurers of clubs. You can look at your club with it; changing something takes a passkey.</Quiet>
      <EntryForm {...form}>
        <EmailField problem={problem} />
        <Failure of={request.error} />
        <Button type="submit" isBusy={request.isPending}>
          Send me a link
        </Button>
      </EntryForm>
      <LinkLike onClick={onBack}>Back to signing in</LinkLike>
    </Entry>
  );
}
