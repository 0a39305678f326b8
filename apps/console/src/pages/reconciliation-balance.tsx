import { type BookCheck, listBookChecks, type Receivable, retrieveTrustBalance } from '@sparechange/contract/console';
import { type Cents, formatCents, isoDate, longDay, total } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '#api/call.ts';
import { sentenceOf } from '#api/call-problem.ts';
import { type Column, List } from '../ui/list.tsx';
import { Loading, Section, Tag } from '../ui/page.tsx';
import { instantInWords } from '../words.ts';
import { accountNames } from './account-names.ts';
import styles from './reconciliation.module.css';
import { WriteOff } from './write-off.tsx';

type AccountAmounts = readonly { account: string; cents: Cents }[];

function Side({ title, amounts }: { title: string; amounts: AccountAmounts }) {
  return (
    <dl className={styles.amounts}>
      {amounts.map(({ account, cents }) => (
        <div key={account}>
          <dt>{accountNames[account] ?? account}</dt>
          <dd>{formatCents(cents)}</dd>
        </div>
      ))}
      <div className={styles.sum}>
        <dt>{title}</dt>
        <dd>{formatCents(total(amounts.map(({ cents }) => cents)))}</dd>
      </div>
    </dl>
  );
}

/** Money that is held against what is owed. */
export function Balance({ mayAct }: { mayAct: boolean }) {
  const [opened, setOpened] = useState<Receivable>();
  const read = useQuery({
    queryKey: [retrieveTrustBalance.name],
    queryFn: () => call(retrieveTrustBalance, {}),
  });
  if (read.error) return <Notice>{sentenceOf(read.error)}</Notice>;
  if (!read.data) return <Loading />;
  const { closedUntil, held, owed, shortfalls, receivables } = read.data;
  return (
    <Section title="Trust balance">
      <p className={styles.quiet}>
        {closedUntil
          ? `At the end of ${longDay(isoDate(closedUntil))}, the last closed day.`
          : 'No day is closed yet: the first is closed at night.'}{' '}
        What is held is what is owed, less what is short.
      </p>
      <div className={styles.sides}>
        <Side title="Held" amounts={held} />
        <Side title="Owed" amounts={owed} />
        {shortfalls.length > 0 && <Side title="Short" amounts={shortfalls} />}
      </div>
      {receivables.length > 0 && <h3 className={styles.heading}>What clubs owe now</h3>}
      <ul className={styles.receivables}>
        {receivables.map((receivable) => (
          <li key={receivable.clubId}>
            {mayAct ? (
              <Link to={`/clubs/${receivable.clubId}`}>{receivable.club}</Link>
            ) : (
              <span>{receivable.club}</span>
            )}
            <span className={styles.amount}>{formatCents(receivable.cents)}</span>
            {mayAct && (
              <Button look="quiet" onClick={() => setOpened(receivable)}>
                Write off <span className="visually-hidden">what {receivable.club} owes</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {opened && <WriteOff debt={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}

const checkNames: Record<BookCheck['kind'], string> = {
  nightly_audit: 'Audit of the day',
  full_audit: 'Audit of everything',
  reconciliation: 'Reconciliation with the provider',
};

const resultOf = ({ found, leftOut }: BookCheck): string => {
  const left = leftOut > 0 ? `, ${counted(leftOut, 'supporter')} left for the next night` : '';
  return `${found === 0 ? 'In order' : counted(found, 'difference')}${left}`;
};

const checkColumns: Column<BookCheck>[] = [
  { title: 'Check', text: ({ kind }) => checkNames[kind] },
  { title: 'When', text: ({ startedAt }) => startedAt, show: ({ startedAt }) => instantInWords(startedAt) },
  {
    title: 'Result',
    text: resultOf,
    show: (check) => <Tag tone={check.found === 0 ? 'good' : 'bad'}>{resultOf(check)}</Tag>,
  },
  {
    title: 'Took',
    text: ({ tookMs }) => `${(tookMs / 1_000).toFixed(1)} s`,
    isSecondary: true,
    isAmount: true,
  },
];

export const BookChecks = () => (
  <Section title="History">
    <List
      name="Checks of the books"
      operation={listBookChecks}
      filter={{}}
      columns={checkColumns}
      empty="No night has passed yet. The books are audited and reconciled every night."
    />
  </Section>
);
