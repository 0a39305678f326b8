import {
  accountName,
  accountNames,
  HandAccount,
  listLedgerAccounts,
  listStatementLines,
  matchStatementLine,
  retrieveDay,
  retrieveTrustBalance,
  type StatementLine,
} from '@sparechange/contract/console';
import { described, formatCents, nameOfAccount } from '@sparechange/domain';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { OpenRow, Quiet } from '../../ui/cells.tsx';
import { amountColumn, dayColumn } from '../../ui/columns.tsx';
import { Select } from '../../ui/filters.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { Fold, Section } from '../../ui/page.tsx';
import { WaitsForApproval } from '../../ui/waits-for-approval.tsx';

const changes = [listStatementLines, retrieveDay, retrieveTrustBalance, listLedgerAccounts];

const kindNames: Record<NonNullable<StatementLine['matchedKind']>, string> = {
  settlement: 'Settled by the provider on',
  collection: 'Debit',
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
  const { account, lineId, cents, description, reference } = line;
  const hasOtherWay = reference !== null || cents > 0;
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
            {described(description)}, {formatCents(cents)}. {hasOtherWay && `${explained(line)} `}Choose what it was.
            This moves it out of suspense and can’t be undone.
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
