import {
  accountName,
  type BookCheck,
  type LedgerAccount,
  listBookChecks,
  listLedgerAccounts,
  listReceivables,
  type Receivable,
  retrieveTrustBalance,
  writeOffClub,
} from '@sparechange/contract/console';
import { type Cents, formatCents, longDay, total } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Link } from 'react-router';
import { useAnswer } from '#api/use-answer.ts';
import { useMay } from '#session/use-may.ts';
import { amountColumn, dayColumn, instantColumn } from '../../ui/columns.tsx';
import { Failure } from '../../ui/failure.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { Fold, Loading, Note, Section, Tag } from '../../ui/page.tsx';
import styles from './reconciliation.module.css';

/** Reads the money held and the money owed, once for the whole page. */
export const useTrustBalance = () => useAnswer(retrieveTrustBalance, {});

type AccountAmounts = readonly { account: string; cents: Cents }[];

function Side({ title, amounts }: { title: string; amounts: AccountAmounts }) {
  return (
    <dl className={styles.amounts}>
      {amounts.map(({ account, cents }) => (
        <div key={account}>
          <dt>{accountName(account)}</dt>
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

/** Money held against money owed, and every account for people who keep the books. */
export function Balance() {
  const mayListAccounts = useMay(listLedgerAccounts);
  const read = useTrustBalance();
  if (read.error) return <Failure of={read.error} again={read.refetch} />;
  if (!read.data) return <Loading />;
  const { closedUntil, held, owed, shortfalls } = read.data;
  return (
    <Section title="Trust balance">
      <Note>
        {closedUntil
          ? `Payments until the end of ${longDay(closedUntil)}, the last closed day; statement lines and corrections until now.`
          : 'No day is closed yet: the first is closed at night.'}{' '}
        Held must equal owed, less any shortfall.
      </Note>
      <div className={styles.sides}>
        <Side title="Held" amounts={held} />
        <Side title="Owed" amounts={owed} />
        {shortfalls.length > 0 && <Side title="Short" amounts={shortfalls} />}
      </div>
      {mayListAccounts && (
        <Fold title="Every account">
          <List
            name="Accounts of the ledger"
            operation={listLedgerAccounts}
            columns={accountColumns}
            empty="The ledger has no accounts."
          />
        </Fold>
      )}
    </Section>
  );
}

const accountColumns: Column<LedgerAccount>[] = [
  { title: 'Account', text: ({ account }) => accountName(account) },
  { title: 'Side', text: ({ side }) => (side === 'asset' ? 'Asset' : 'Liability') },
  dayColumn('Payments until', ({ closedUntil }) => closedUntil, { isSecondary: true }),
  amountColumn('Balance', ({ cents }) => cents),
];

/** Clubs paid more than supporters gave in the end. */
export function Receivables() {
  const mayWriteOff = useMay(writeOffClub);
  const read = useTrustBalance();
  if (!read.data || read.data.receivable.clubs === 0) return null;
  const { clubs, cents } = read.data.receivable;
  return (
    <Section title="What clubs owe now">
      <Note>
        {counted(clubs, 'club')} {clubs === 1 ? 'owes' : 'owe'} {formatCents(cents)}: taken back by banks or refunded
        after it was paid out. Their next donations pay it
        {mayWriteOff && '; what a club will not pay is written off on its page'}.
      </Note>
      <List
        name="What clubs owe"
        operation={listReceivables}
        columns={receivableColumns(mayWriteOff)}
        empty="No club owes anything."
      />
    </Section>
  );
}

const receivableColumns = (mayWriteOff: boolean): Column<Receivable>[] => [
  {
    title: 'Club',
    text: ({ club }) => club,
    opens: true,
    show: ({ id, club }) => (mayWriteOff ? <Link to={`/clubs/${id}/balance`}>{club}</Link> : club),
  },
  amountColumn('Owes', ({ cents }) => cents),
];

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
  instantColumn('When', ({ startedAt }) => startedAt),
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
      columns={checkColumns}
      empty="No night has passed yet. The books are audited and reconciled every night."
    />
  </Section>
);
