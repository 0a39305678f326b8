import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ActionCode } from '#api/firebase.ts';
import { isDeadLink } from '#api/identity-error.ts';
import { checkActionCode } from '#api/session.ts';
import { ConfirmNewEmail, UndoEmailChange } from '#features/identity/confirm-new-email.tsx';
import { EntryPage } from '#features/tenants/entry-page.tsx';
import { Skeleton } from '#ui/card.tsx';
import { Help, Notice } from '#ui/notice.tsx';
import { TryAgain } from '#ui/retry.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { messages } from '../messages.ts';
import styles from './changed-email.module.css';

interface ChangedEmailProps {
  kind: 'change' | 'undo';
  code: string;
}

const titles = { change: 'Confirm your new email', undo: 'Undo email change' };

/** Next steps after a link that no longer works. */
const afterDeadLink = {
  change: 'Log in and choose "Change email address" under your account to get a new one.',
  undo: (
    <>
      If the change was not yours, please <TextLink to="/support">contact us</TextLink>.
    </>
  ),
};

/** Page of a link that changes or restores an address. */
export function ChangedEmail({ kind, code }: ChangedEmailProps) {
  return (
    <EntryPage title={titles[kind]}>
      <div className={styles.space}>
        <Question kind={kind} code={code} />
      </div>
    </EntryPage>
  );
}

function Question({ kind, code }: ChangedEmailProps) {
  const [used, setUsed] = useState<ActionCode>(); // kept here: the end of a session empties the cache
  const link = useQuery({
    queryKey: ['action code', code],
    queryFn: () => checkActionCode(code),
    enabled: code !== '' && used === undefined,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (link.isLoading) {
    return (
      <>
        <Skeleton width="100%" height={96} />
        <Skeleton width="100%" height={48} />
      </>
    );
  }
  const addresses = used ?? link.data;
  if (addresses) {
    const Part = kind === 'change' ? ConfirmNewEmail : UndoEmailChange;
    return <Part code={code} {...addresses} isDone={used !== undefined} onDone={() => setUsed(addresses)} />;
  }
  if (link.isError && !isDeadLink(link.error)) {
    return <TryAgain onRetry={link.refetch}>{messages.somethingWrong}</TryAgain>;
  }
  return (
    <>
      <Notice>{messages.linkTooOld}</Notice>
      <Help>{afterDeadLink[kind]}</Help>
      <TextLink to="/">Login</TextLink>
    </>
  );
}
