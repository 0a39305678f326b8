import {
  accountName,
  type Difference,
  importStatement,
  listBookChecks,
  listLedgerAccounts,
  listStatementLines,
  reconcileAgain,
  retrieveDay,
  retrieveTrustBalance,
} from '@sparechange/contract/console';
import { addDays, type Cents, formatCents, longDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useCallback, useState } from 'react';
import { call } from '#api/call.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useFilter } from '#api/use-list.ts';
import { useMay } from '#session/use-may.ts';
import { useOpened } from '../palette/use-opened.ts';
import { ActDialog } from '../ui/act-dialog.tsx';
import { dayIn } from '../ui/day-in.ts';
import { Failure } from '../ui/failure.tsx';
import { Filters } from '../ui/filters.tsx';
import { Loading, Note, PageFrame, Pairs, Section } from '../ui/page.tsx';
import { instantInWords } from '../words.ts';
import { codeInWords, kindNames, stateNames } from './payments/payment-words.ts';
import { Corrections } from './reconciliation/corrections.tsx';
import { DayCompared } from './reconciliation/day-compared.tsx';
import importStyles from './reconciliation/import-statement.module.css';
import { ImportStatement } from './reconciliation/import-statement.tsx';
import styles from './reconciliation/reconciliation.module.css';
import { Balance, BookChecks, Receivables, useTrustBalance } from './reconciliation/reconciliation-balance.tsx';
import { OpenLines, StatementLines } from './reconciliation/reconciliation-lines.tsx';
import { StatementImports } from './reconciliation/statement-imports.tsx';
import { useDroppedFile } from './reconciliation/use-dropped-file.ts';

/** Bank statement, provider and ledger of a day side by side, and money held against money owed. */
export default function Reconciliation() {
  const mayList = useMay(listStatementLines);
  const mayImport = useMay(importStatement);
  const { filter, setFilter } = useFilter('day');
  const balance = useTrustBalance();
  const day = filter.day ?? balance.data?.closedUntil ?? (balance.data && addDays(balance.data.today, -1));
  const [chosen, open] = useOpened('import', 'again');
  const close = () => open();
  const [file, setFile] = useState<File>();
  const takeFile = useCallback(
    (dropped: File) => {
      setFile(dropped);
      open('import');
    },
    [open],
  );
  const isOver = useDroppedFile(mayImport, takeFile);
  return (
    <PageFrame
      title="Reconciliation"
      lead={day && dayIn(day) ? dayInWords(day) : 'Whether bank, provider and ledger agree.'}
      actions={
        mayImport && (
          <>
            <Button look="secondary" onClick={() => open('again')}>
              Reconcile again
            </Button>
            <Button onClick={() => open('import')}>Import a statement</Button>
          </>
        )
      }
    >
      <div data-screen-only>
        <Filters>
          <TextField
            label="Day"
            type="date"
            value={day ?? ''}
            onChange={({ target }) => setFilter('day', target.value)}
            className={styles.day ?? ''}
          />
        </Filters>
      </div>
      {day ? <Day day={day} /> : !balance.error && <Loading />}
      <div className={styles.rest} data-screen-only>
        {mayList && day && dayIn(day) && <StatementLines day={day} />}
        {mayList && <StatementImports />}
        {mayList && <OpenLines />}
      </div>
      <Balance />
      <div className={styles.rest} data-screen-only>
        <Receivables />
        {mayList && <Corrections />}
        <BookChecks />
      </div>
      {isOver && <div className={importStyles.drop}>Drop the statement to see what is in it</div>}
      {chosen === 'import' && mayImport && (
        <ImportStatement
          file={file}
          onFile={setFile}
          onClose={() => {
            setFile(undefined);
            close();
          }}
        />
      )}
      {chosen === 'again' && mayImport && day && <Again day={day} onClose={close} />}
    </PageFrame>
  );
}

/** Names with amounts at the right. */
const Amounts = ({ rows }: { rows: readonly (readonly [string, Cents])[] }) => (
  <Pairs className={styles.amounts} rows={rows.map(([name, amount]) => [name, formatCents(amount)])} />
);

function Day({ day }: { day: string }) {
  const read = useAnswer(retrieveDay, { day });
  if (read.error) return <Failure of={read.error} otherwise="Please choose a day." again={read.refetch} />;
  if (!read.data) return <Loading />;
  const { bank, provider, ledger, comparison } = read.data;
  return (
    <>
      <DayCompared day={day} of={comparison} />
      <div className={styles.sides}>
        <Section title="Bank statement">
          {bank.lines > 0 ? (
            <Amounts
              rows={[
                ['Came in', bank.inCents],
                ['Went out', bank.outCents],
                [`Unmatched: ${counted(bank.open, 'line')}`, bank.openCents],
              ]}
            />
          ) : (
            <Note>No line of {dayInWords(day)} was imported.</Note>
          )}
        </Section>
        <Section title="Provider">
          {provider ? (
            <>
              <Amounts rows={[[`Settled: ${counted(provider.payments, 'payment')}`, provider.cents]]} />
              <Note>Read {instantInWords(provider.readAt)}. The bank books it up to five days later.</Note>
            </>
          ) : (
            <Note>No settlement yet. It is asked every night.</Note>
          )}
        </Section>
        <Section title="Ledger">
          {ledger.length > 0 ? (
            <Amounts rows={ledger.map(({ account, cents }) => [accountName(account), cents])} />
          ) : (
            <Note>Nothing is booked on this day. A day is closed the night after it.</Note>
          )}
        </Section>
      </div>
    </>
  );
}

const whatToDo: Record<Difference['match'], string> = {
  behind: 'The provider knows more. The next settling brings it.',
  missing_here: 'The provider has it and we do not. Ask the provider what it is before anything is booked.',
  missing_there: 'We sent it and the provider does not know it. Look it up under Payments and decide it there.',
  amount_differs: 'The amounts differ. Ask the provider which of them is right.',
  outcome_differs: 'The outcomes differ. Look it up under Payments; the next settling may bring it.',
  parked: 'Without an answer for a day. Look it up under Payments and decide it there.',
};

const namesOfStates: Partial<Record<string, string>> = stateNames;
const outcomeOf = (state: string | null): string => namesOfStates[state ?? ''] ?? codeInWords(state ?? 'none');

const amountOf = (amount: Cents | null): string => (amount === null ? 'none' : formatCents(amount));

/** "Debit RU1: $12.40 here, $12.40 there. Cleared here, returned there." */
function differenceInWords({ kind, reference, match, ours, cents, theirs, theirCents }: Difference): string {
  const name = kind === 'payment' ? 'Payment' : kindNames[kind];
  const amounts = `${name} ${reference}: ${amountOf(cents)} here, ${amountOf(theirCents)} there.`;
  if (match !== 'outcome_differs') return amounts;
  return `${amounts} ${outcomeOf(ours)} here, ${outcomeOf(theirs).toLowerCase()} there.`;
}

/** Returns a day in words, as it was typed where it is none. */
function dayInWords(typed: string): string {
  const day = dayIn(typed);
  return day ? longDay(day) : typed;
}

const Again = ({ day, onClose }: { day: string; onClose: () => void }) => (
  <ActDialog
    title="Reconcile again"
    action="Reconcile"
    act={() => call(reconcileAgain, { day })}
    changes={[retrieveDay, listStatementLines, listBookChecks, retrieveTrustBalance, listLedgerAccounts]}
    after={({ matched, differing, differences, openLines }) => (
      <>
        <Notice kind={differing > 0 ? 'error' : 'information'}>
          {counted(matched, 'payment')} compared and equal, {differing} different. {counted(openLines, 'line')} of
          statements unmatched.
        </Notice>
        <ul className={styles.differences}>
          {differences.map((difference) => (
            <li key={difference.id}>
              <strong>{differenceInWords(difference)}</strong> {whatToDo[difference.match]}
            </li>
          ))}
        </ul>
        {differing > differences.length && (
          <Note>
            {counted(differing - differences.length, 'more')} different and not listed: put these right first, and
            reconcile again.
          </Note>
        )}
      </>
    )}
    onClose={onClose}
  >
    {(problem) => (
      <>
        <p>
          The provider is asked for every payment from {dayInWords(day)} until now. What it settled is kept, and lines
          of bank statements are matched with it. No payment is changed and no money moves.
        </p>
        {problem('day') && <Notice>{problem('day')}</Notice>}
      </>
    )}
  </ActDialog>
);
