import { confirmWithCode, retrieveSignIn } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal } from '@sparechange/web/ui/modal.tsx';
import type { Question } from '@sparechange/web/ui/question.ts';
import { useMutation } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { call } from '#api/call.ts';
import { confirmation } from '#api/confirmation.ts';
import { queryClient } from '#api/query-client.ts';
import { useAnswer } from '#api/use-answer.ts';
import { Failure } from '../ui/failure.tsx';
import { useCallForm } from '../ui/form.tsx';
import { EntryForm } from './entry.tsx';
import { CodeField, digitsOf, PasskeyNotice } from './fields.tsx';
import { signInWithPasskey } from './passkey.ts';
import { enter, sessionQuery } from './session.ts';
import { SingleSignOnButton } from './single-sign-on.tsx';

/** Asks for the passkey or code while a dangerous call waits for it. */
export function ConfirmDialog() {
  const request = useSyncExternalStore(confirmation.subscribe, confirmation.current);
  return request ? <Confirm request={request} /> : null;
}

function Confirm({ request }: { request: Question }) {
  const known = useAnswer(retrieveSignIn, {});
  const [asker] = useState(() => queryClient.getQueryData(sessionQuery.queryKey)?.id);
  const passkey = useMutation({
    mutationFn: signInWithPasskey,
    onSuccess: (operator) => {
      enter(operator);
      request.settle(operator.id === asker); // with the passkey of somebody else, it is theirs to ask for
    },
  });
  const code = useMutation({
    mutationFn: (form: FormData) => call(confirmWithCode, { code: digitsOf(form.get('code')) }),
    onSuccess: ({ operator }) => {
      enter(operator);
      request.settle(true);
    },
  });
  const { problem, form } = useCallForm(code.error, code.mutate);
  return (
    <Modal title="Please confirm it is you" onClose={() => request.settle(false)}>
      <p>This changes something important, so your passkey or code is asked for again.</p>
      {!known.data && <Failure of={known.error} again={known.refetch} />}
      {known.data && known.data.passkeys.length > 0 && (
        <Button isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
          Use your passkey
        </Button>
      )}
      {passkey.isError && <PasskeyNotice error={passkey.error} />}
      {known.data?.hasPassword && (
        <EntryForm {...form}>
          <CodeField problem={problem} />
          <Failure of={code.error} />
          <Button type="submit" isBusy={code.isPending}>
            Confirm
          </Button>
        </EntryForm>
      )}
      {known.data && known.data.passkeys.length === 0 && !known.data.hasPassword && (
        <>
          <p>
            You have neither. Please sign in again, after which you can add a passkey under “Your sign-in”; what you
            entered here is not kept.
          </p>
          <SingleSignOnButton isFresh />
        </>
      )}
      <Button look="quiet" onClick={() => request.settle(false)}>
        Cancel
      </Button>
    </Modal>
  );
}
