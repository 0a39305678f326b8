import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '#api/call-problem.ts';
import { Entry, LinkLike, Or, Quiet } from './entry.tsx';
import { addPasskey, deviceName, isGivenUp } from './passkey.ts';
import { PasswordForm } from './password-form.tsx';
import { enter, useOperator } from './session.ts';

/** Asks somebody who came by an invitation how they sign in from now on. */
export function SetUp() {
  const { name } = useOperator();
  const [wantsPassword, setWantsPassword] = useState(false);
  const passkey = useMutation({ mutationFn: () => addPasskey(deviceName()), onSuccess: enter });
  if (wantsPassword)
    return (
      <Entry title="Choose a password">
        <PasswordForm onDone={enter} />
        <LinkLike onClick={() => setWantsPassword(false)}>Use a passkey instead</LinkLike>
      </Entry>
    );
  return (
    <Entry title={`Hello ${name.split(' ')[0]}`}>
      <Quiet>
        Choose how you sign in from now on. A passkey is kept by this device and opens with your finger, face or PIN.
      </Quiet>
      <Button isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
        Add a passkey
      </Button>
      {passkey.isError && (
        <Notice>
          {isGivenUp(passkey.error) ? 'No passkey was made. Please try again.' : sentenceOf(passkey.error)}
        </Notice>
      )}
      <Or />
      <Button look="secondary" onClick={() => setWantsPassword(true)}>
        Use a password and an authenticator
      </Button>
    </Entry>
  );
}
