import { listMails, type MailStatus, type OutboxMail, retrieveMailState } from '@sparechange/contract/console';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '#api/use-answer.ts';
import { OpenRow, Quiet } from '../../ui/cells.tsx';
import { instantColumn } from '../../ui/columns.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { Note, Tag } from '../../ui/page.tsx';
import styles from './mail.module.css';
import { MailDialog } from './mail-dialog.tsx';
import { kindInWords, mailStatusNames } from './mail-words.ts';

const recipientNames = { supporter: 'A supporter', club: 'A club’s contact', operator: 'Operators' };
const tones: Record<MailStatus, 'plain' | 'good' | 'bad'> = {
  waiting: 'plain',
  sent: 'good',
  given_up: 'bad',
  bounced: 'bad',
  outdated: 'plain',
};

const addressOf = ({ address, recipient }: OutboxMail) => address ?? recipientNames[recipient];

const toColumn: Column<OutboxMail> = {
  title: 'To',
  text: addressOf,
  isSecondary: true,
  show: (mail) =>
    mail.supporterId ? (
      <Link to={`/supporters/${mail.supporterId}`} className={styles.to}>
        {addressOf(mail)}
      </Link>
    ) : (
      addressOf(mail)
    ),
};

const columnsFor = (open: (mail: OutboxMail) => void, isOfOneSupporter: boolean): Column<OutboxMail>[] => [
  {
    title: 'Mail',
    text: ({ about }) => kindInWords(about),
    opens: true,
    show: (mail) => (
      <>
        <OpenRow onClick={() => open(mail)}>{kindInWords(mail.about)}</OpenRow>
        {!isOfOneSupporter && <span className={styles.onPhone}>{addressOf(mail)}</span>}
      </>
    ),
  },
  ...(isOfOneSupporter ? [] : [toColumn]),
  {
    title: 'Status',
    text: ({ status }) => mailStatusNames[status],
    show: ({ status, failure }) => (
      <>
        <Tag tone={tones[status]}>{mailStatusNames[status]}</Tag>
        {failure && status !== 'sent' && <Quiet>{failure}</Quiet>}
      </>
    ),
  },
  instantColumn('When', ({ endedAt, queuedAt }) => endedAt ?? queuedAt),
];

interface MailListProps {
  filter: Record<string, string>;
  /** True for one supporter's mails, whose address is left out. */
  isOfOneSupporter?: boolean;
  empty: string;
}

/** Mails of the outbox; each opens with its text. */
export function MailList({ filter, isOfOneSupporter = false, empty }: MailListProps) {
  const [opened, setOpened] = useState<OutboxMail>();
  const state = useAnswer(retrieveMailState, {});
  return (
    <>
      {state.data?.listsSignInMails === false && (
        <Note>Firebase mails links to reset a password or confirm an email itself; they are not listed.</Note>
      )}
      <List
        name="Mails"
        operation={listMails}
        filter={filter}
        columns={columnsFor(setOpened, isOfOneSupporter)}
        empty={empty}
      />
      {opened && <MailDialog mail={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
