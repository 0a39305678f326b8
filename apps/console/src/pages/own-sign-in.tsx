import { removePasskey, retrieveSignIn, signOutEverywhere } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { sentenceOf } from '#api/call-problem.ts';
import { readAgain } from '#api/query-client.ts';
import { useAnswer } from '#api/use-answer.ts';
import { addPasskey, deviceName, isGivenUp } from '#session/passkey.ts';
import { PasswordForm } from '#session/password-form.tsx';
import { enter, leave, useOperator } from '#session/session.ts';
import { Failure } from '../ui/failure.tsx';
import { Loading, Note, PageFrame, Section } from '../ui/page.tsx';
import { instantInWords } from '../words.ts';
import styles from './own-sign-in/own-sign-in.module.css';

const refresh = () => void readAgain([retrieveSignIn]);

/** A person's own passkeys, password and sessions. */
export default function OwnSignIn() {
  const { isByLink, hasSignIn } = useOperator();
  const known = useAnswer(retrieveSignIn, {});
  if (!known.data) return known.error ? <Failure of={known.error} again={known.refetch} /> : <Loading />;
  const { passkeys, hasPassword, sessions } = known.data;
  const mayChange = !isByLink || !hasSignIn;
  return (
    <PageFrame title="Your sign-in" lead="How you prove that it is you.">
      <Passkeys passkeys={passkeys} mayChange={mayChange} />
      <Password hasPassword={hasPassword} mayChange={mayChange} />
      <Sessions count={sessions} />
    </PageFrame>
  );
}

interface PasskeysProps {
  passkeys: { id: string; name: string; addedAt: string; lastUsedAt: string | null }[];
  mayChange: boolean;
}

function Passkeys({ passkeys, mayChange }: PasskeysProps) {
  const add = useMutation({
    mutationFn: () => addPasskey(deviceName()),
    onSuccess: (operator) => {
      enter(operator);
      refresh();
    },
  });
  const remove = useMutation({ mutationFn: (id: string) => call(removePasskey, { id }), onSuccess: refresh });
  const isMissed = add.error && isGivenUp(add.error);
  const problem = isMissed ? 'No passkey was made. Please try again.' : sentenceOf(add.error ?? remove.error);
  return (
    <Section
      title="Passkeys"
      actions={
        mayChange && (
          <Button
            look="secondary"
            isBusy={add.isPending}
            onClick={() => {
              remove.reset();
              add.mutate();
            }}
          >
            Add a passkey
          </Button>
        )
      }
    >
      {problem && <Notice>{problem}</Notice>}
      {passkeys.length === 0 && <Note>None yet. A passkey opens with your finger, face or PIN.</Note>}
      <ul className={styles.list}>
        {passkeys.map(({ id, name, addedAt, lastUsedAt }) => (
          <li key={id} className={styles.row}>
            <div>
              <p className={styles.name}>{name}</p>
              <Note>
                Added {instantInWords(addedAt)}
                {lastUsedAt && `, last used ${instantInWords(lastUsedAt)}`}
              </Note>
            </div>
            {mayChange && (
              <Button
                look="quiet"
                isDangerous
                isBusy={remove.isPending && remove.variables === id}
                onClick={() => {
                  add.reset();
                  remove.mutate(id);
                }}
              >
                Remove <span className="visually-hidden">{name}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Password({ hasPassword, mayChange }: { hasPassword: boolean; mayChange: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="Password and authenticator"
      actions={
        mayChange && (
          <Button look="secondary" onClick={() => setOpen(true)}>
            {hasPassword ? 'Change them' : 'Set them up'}
          </Button>
        )
      }
    >
      <Note>
        {hasPassword
          ? 'You can sign in with your password and a code from your authenticator.'
          : 'Not set up. A password always comes with a code from your phone.'}
      </Note>
      {isOpen && (
        <Modal title="Password and authenticator" onClose={() => setOpen(false)}>
          <PasswordForm
            onDone={(operator) => {
              enter(operator);
              refresh();
              setOpen(false);
            }}
          />
          <Button look="quiet" onClick={() => setOpen(false)}>
            Cancel
          </Button>
        </Modal>
      )}
    </Section>
  );
}

function Sessions({ count }: { count: number }) {
  const end = useMutation({ mutationFn: () => call(signOutEverywhere, {}), onSuccess: leave });
  return (
    <Section
      title="Sessions"
      actions={
        <Button look="secondary" isBusy={end.isPending} onClick={() => end.mutate()}>
          Sign out everywhere
        </Button>
      }
    >
      <Failure of={end.error} />
      <Note>
        You are signed in {count === 1 ? 'here alone' : `in ${count} browsers`}. A session ends after twelve hours.
      </Note>
    </Section>
  );
}
