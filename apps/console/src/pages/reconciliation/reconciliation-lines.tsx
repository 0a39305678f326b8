import {
  accountName,
  accountNames,
  ChangedLines,
  HandAccount,
  importStatement,
  listLedgerAccounts,
  listStatementLines,
  matchStatementLine,
  retrieveDay,
  retrieveTrustBalance,
  type StatementLine,
} from '@sparechange/contract/console';
import { described, formatCents, gapInWords, nameOfAccount } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Checkbox } from '@sparechange/web/ui/checkbox.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { problemOf } from '#api/call-problem.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { OpenRow, Quiet } from '../../ui/cells.tsx';
import { amountColumn, dayColumn } from '../../ui/columns.tsx';
import { Select } from '../../ui/filters.tsx';
import type { ProblemOf } from '../../ui/form.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { Fold, Section } from '../../ui/page.tsx';
import { fileIn, someContent } from '../../ui/read-file.ts';
import { WaitsForApproval } from '../../ui/waits-for-approval.tsx';
import { amountIn } from '../parts/amount-field.tsx';

const changes = [listStatementLines, retrieveDay, retrieveTrustBalance, listLedgerAccounts];

const kindNames: Record<NonNullable<StatementLine['matchedKind']>, string> = {
  settlement: 'Settled by the provider on',
  payout: 'Payout',
  payout_returned: 'Payout that came back',
  claim: 'Claimed back',
  by_hand: 'By hand:',
};

/** Names a line's explanation, or the next step for an unexplained line. */
function explained({ matchedKind, matchedWith, cents, reference }: StatementLine): string {
  if (matchedKind) return `${kindNames[matchedKind]} ${accountNames[matchedWith ?? ''] ?? matchedWith}`;
  if (reference) return `Names ${reference}, which is no payment of this amount: look it up under Payments.`;
  if (cents > 0) return 'No settlement has this amount: reconcile its days again, or match money of your own by hand.';
  return 'Money that left without a reference, such as a fee of the bank: match it by hand.';
}

const columnsFor = (open: (line: StatementLine) => void): Column<StatementLine>[] => [
  dayColumn('Day', ({ bookedOn }) => bookedOn),
  {
    title: 'Line',
    text: ({ description, account }) => `${described(description)} (${nameOfAccount(account)})`,
    opens: true,
    show: (line) => (
      <>
        {line.matchedKind ? (
          described(line.description)
        ) : (
          <OpenRow onClick={() => open(line)}>{described(line.description)}</OpenRow>
        )}
        <Quiet>{nameOfAccount(line.account)}</Quiet>
      </>
    ),
  },
  { title: 'Explained by', text: explained, isSecondary: true },
  amountColumn('Amount', ({ cents }) => cents),
];

interface LinesProps {
  title: string;
  filter: Record<string, string>;
  empty: string;
}

function Lines({ title, filter, empty }: LinesProps) {
  const [opened, setOpened] = useState<StatementLine>();
  return (
    <>
      <List name={title} operation={listStatementLines} filter={filter} columns={columnsFor(setOpened)} empty={empty} />
      {opened && <MatchLine line={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** Every line of a day, folded. */
export const StatementLines = ({ day }: { day: string }) => (
  <Section title="Lines of the day">
    <Fold title="Matched lines">
      <Lines title="Matched lines" filter={{ day, state: 'matched' }} empty="Nothing matched on this day." />
    </Fold>
    <Lines title="Unmatched lines of the day" filter={{ day, state: 'open' }} empty="Nothing unmatched on this day." />
  </Section>
);

export const OpenLines = () => (
  <Section title="Unmatched lines of all days">
    <Lines title="Unmatched lines of all days" filter={{ state: 'open' }} empty="Nothing unmatched." />
  </Section>
);

const MatchLine = ({ line, onClose }: { line: StatementLine; onClose: () => void }) => {
  const { account, lineId, cents, description } = line;
  return (
    <ActDialog
      title="Match a line by hand"
      action="Match"
      act={(form) => {
        const to = HandAccount.parse(form.get('to'));
        return call(matchStatementLine, { account, lineId, to, reason: String(form.get('reason')) });
      }}
      changes={changes}
      after={({ asked }) => asked && <WaitsForApproval asked={asked} />}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>
            {described(description)}, {formatCents(cents)}. {explained(line)} The amount moves from suspense to the
            account that you choose, for good.
          </p>
          <Select
            label="What it was"
            name="to"
            options={HandAccount.options.map((value) => ({ value, label: accountName(value) }))}
          />
          <TextField label="Reason" name="reason" maxLength={200} required error={problem('reason')} />
        </>
      )}
    </ActDialog>
  );
};

/** Questions before an import books anything; each stays visible. */
const questions = ['changedLines', 'acceptedCents'] as const;
type Question = (typeof questions)[number];

export const ImportStatement = ({ onClose }: { onClose: () => void }) => {
  const [asked, setAsked] = useState<readonly Question[]>([]);
  const send = async (form: FormData) => {
    const { data: changedLines } = ChangedLines.safeParse(form.get('changedLines'));
    return call(importStatement, {
      ...(await fileIn(form, 'content')),
      account: String(form.get('account')),
      isNewAccount: form.has('isNewAccount'),
      changedLines,
      acceptedCents: amountIn(String(form.get('acceptedCents') ?? '')),
    }).catch((problem: unknown) => {
      const now = questions.filter((question) => problemOf(problem, question) !== undefined);
      setAsked((before) => [...new Set([...before, ...now])]);
      throw problem;
    });
  };
  return (
    <ActDialog
      title="Import a bank statement"
      action="Import"
      act={send}
      changes={changes}
      after={({ lines, added, matched, open, gapCents }) => (
        <>
          <p>
            {counted(lines, 'line')} read, {added} of them new. {counted(matched, 'line')} matched now;{' '}
            {counted(open, 'line')} of all statements unmatched.
          </p>
          {gapCents !== 0 && <Notice>{gapInWords(gapCents)}</Notice>}
        </>
      )}
      onClose={onClose}
    >
      {(problem) => <StatementFields asked={asked} problem={problem} />}
    </ActDialog>
  );
};

const StatementFields = ({ asked, problem }: { asked: readonly Question[]; problem: ProblemOf }) => (
  <>
    <p>
      A camt.053 file, or a CSV file, of whole days. The first line of a CSV file names its columns: date (2026-12-31,
      31/12/2026 or 31-12-2026), amount (in dollars, negative where money left) and description, and also reference,
      transaction_id and balance where the bank gives them. Lines that are known are left out, so the same file twice is
      safe. New lines go to suspense until something explains them.
    </p>
    <TextField
      label="File"
      name="content"
      type="file"
      accept=".csv,.xml,text/csv,text/xml"
      required
      error={problem('content', someContent)}
    />
    <TextField
      label="Account number, for CSV"
      name="account"
      maxLength={40}
      inputMode="numeric"
      hint="Kept masked. Without one it is the account of the statements before."
      error={problem('account')}
    />
    <Checkbox name="isNewAccount" label="This is a different account" />
    {asked.includes('changedLines') && (
      <>
        {problem('changedLines') && <Notice>{problem('changedLines')}</Notice>}
        <Select label="The lines in doubt are" name="changedLines" all="Please choose" options={changedOptions} />
      </>
    )}
    {asked.includes('acceptedCents') && (
      <TextField
        label="Accepted difference, in dollars"
        name="acceptedCents"
        maxLength={20}
        inputMode="decimal"
        error={problem('acceptedCents', amountIn)}
      />
    )}
  </>
);

const changedOptions = [
  { value: 'same', label: 'The same as known ones: nothing is booked for them' },
  { value: 'new', label: 'New: they are booked too' },
];
