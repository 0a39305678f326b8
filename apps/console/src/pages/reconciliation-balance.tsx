import { type BookCheck, listBookChecks, retrieveTrustBalance, writeOffClub } from '@sparechange/contract/console';
import { type Cents, dollars, formatCents, isoDate, longDay, parseDollars, total } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { sentenceOf } from '#api/call-problem.ts';
import { ActDialog } from '../ui/act-dialog.tsx';
import { type Column, List } from '../ui/list.tsx';
import { Loading, Section, Tag } from '../ui/page.tsx';
import { Waits } from '../ui/shown-once.tsx';
import { instantInWords } from '../words.ts';
import styles from './reconciliation.module.css';

/** Accounts of the platform's ledger, by their code. */
export const accountNames: Record<string, string> = {
  trust_bank: 'Trust account',
  provider_float: 'At the provider',
  receivable_from_club: 'Owed by clubs',
  receivable_from_saver: 'Owed by savers',
  receivable_from_payer: 'Owed by supporters',
  fees: 'Fees',
  operator_loss: "Operator's loss",
  owed_to_clubs: 'Owed to clubs',
  owed_to_savers: 'Owed to savers',
  owed_to_payers: 'Owed to supporters',
  operator_funds: "Operator's money",
  suspense: 'Suspense: not explained yet',
};

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

interface Receivable {
  clubId: string;
  club: string;
  cents: Cents;
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
            <span>{receivable.club}</span>
            <span className={styles.amount}>{formatCents(receivable.cents)}</span>
            {mayAct && (
              <Button look="quiet" onClick={() => setOpened(receivable)}>
                Write off <span className="visually-hidden">what {receivable.club} owes</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {opened && <WriteOff receivable={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}

function WriteOff({ receivable: { clubId, club, cents }, onClose }: { receivable: Receivable; onClose: () => void }) {
  const [id] = useState(() => crypto.randomUUID()); // one write-off, however often it is sent
  return (
    <ActDialog
      title={`Write off what ${club} owes`}
      action="Write off"
      act={(form) =>
        call(writeOffClub, {
          id,
          clubId,
          cents: parseDollars(String(form.get('amount'))) ?? 0,
          reason: String(form.get('reason')),
        })
      }
      changes={[retrieveTrustBalance]}
      after={({ asked }) => asked && <Waits asked={asked} />}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>
            {club} owes {formatCents(cents)}, which its next donations would pay. What you write off is the operator's
            loss, and the club is paid in full again. Above $50.00 another person has to agree.
          </p>
          <TextField
            label="Amount in dollars"
            name="amount"
            inputMode="decimal"
            defaultValue={dollars(cents)}
            required
            error={problem('cents')}
          />
          <TextField label="Reason" name="reason" maxLength={200} required error={problem('reason')} />
        </>
      )}
    </ActDialog>
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
