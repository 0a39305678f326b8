import {
  listMails,
  type MailStatus,
  type OutboxMail,
  retrieveMailState,
  sendMailAgain,
} from '@sparechange/contract/console';
import { counted } from '@sparechange/domain/counted';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '#api/call.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useMay } from '#session/use-may.ts';
import type { RowsAct } from '../../ui/act-on-rows.tsx';
import { Line, OpenRow, Quiet } from '../../ui/cells.tsx';
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

const Status = ({ status, failure }: OutboxMail) => (
  <>
    <Tag tone={tones[status]}>{mailStatusNames[status]}</Tag>
    {failure && status !== 'sent' && <Quiet>{failure}</Quiet>}
  </>
);

const columnsFor = (open: (mail: OutboxMail) => void, isOfOneSupporter: boolean): Column<OutboxMail>[] => [
  {
    title: 'Mail',
    text: ({ about }) => kindInWords(about),
    opens: true,
    show: (mail) => (
      <>
        <OpenRow onClick={() => open(mail)}>{kindInWords(mail.about)}</OpenRow>
        <span className={`${styles.status} ${styles.onPhone}`}>
          <Status {...mail} />
        </span>
        {!isOfOneSupporter && <Line className={styles.onPhone}>{addressOf(mail)}</Line>}
      </>
    ),
  },
  ...(isOfOneSupporter ? [] : [toColumn]),
  {
    title: 'Status',
    text: ({ status }) => mailStatusNames[status],
    show: (mail) => <Status {...mail} />,
    isSecondary: true,
  },
  instantColumn('When', ({ endedAt, queuedAt }) => endedAt ?? queuedAt),
];

/** Sends failed mails again, each once. */
const sendingAgain: RowsAct<OutboxMail> = {
  isFor: ({ status }) => status === 'given_up' || status === 'bounced',
  nameOf: (mail) => `${kindInWords(mail.about)} to ${addressOf(mail)}`,
  action: 'Send again',
  question: (count) => `Send ${counted(count, 'mail')} again?`,
  explanation: 'Each goes out once, unless it is out of date by now.',
  act: ({ id }) => call(sendMailAgain, { mailId: id }),
  done: (count) => `${counted(count, 'mail')} sent again.`,
  changes: [listMails, retrieveMailState],
};

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
  const maySend = useMay(sendMailAgain);
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
        act={maySend ? sendingAgain : undefined}
        empty={empty}
      />
      {opened && <MailDialog mail={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
