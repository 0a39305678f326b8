import {
  accountName,
  CorrectableAccount,
  correctLedger,
  type LedgerCorrection,
  listCorrections,
  listLedgerAccounts,
  listReceivables,
  retrieveClub,
  retrieveClubBalance,
  retrievePendingPayouts,
  retrieveTrustBalance,
} from '@sparechange/contract/console';
import { parseTypedAmount } from '@sparechange/domain';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { z } from 'zod';
import { call } from '#api/call.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Quiet } from '../../ui/cells.tsx';
import { amountColumn, dayColumn } from '../../ui/columns.tsx';
import { Select } from '../../ui/filters.tsx';
import type { ProblemOf } from '../../ui/form.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { Section } from '../../ui/page.tsx';
import { WaitsForApproval } from '../../ui/waits-for-approval.tsx';
import { secondPersonHint } from '../parts/second-person-hint.ts';

const columns: Column<LedgerCorrection>[] = [
  dayColumn('Day', ({ bookedOn }) => bookedOn),
  {
    title: 'Debit and credit',
    text: ({ debit, credit }) => `${accountName(debit)}, ${accountName(credit)}`,
    show: ({ debit, credit }) => (
      <>
        {accountName(debit)}
        <Quiet>{accountName(credit)}</Quiet>
      </>
    ),
  },
  {
    title: 'Club',
    text: ({ club }) => club ?? '',
    show: ({ clubId, club }) => clubId && <Link to={`/clubs/${clubId}/balance`}>{club}</Link>,
    isSecondary: true,
  },
  { title: 'Reason', text: ({ reason }) => reason ?? '', isSecondary: true },
  amountColumn('Amount', ({ cents }) => cents),
];

/** Lists the corrections of the ledger. */
export function Corrections() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="Corrections of the ledger"
      actions={
        <Button look="secondary" onClick={() => setOpen(true)}>
          Correct the ledger
        </Button>
      }
    >
      <List
        name="Corrections of the ledger"
        operation={listCorrections}
        columns={columns}
        empty="Nothing was corrected yet. A correction moves an amount between two accounts, for good."
      />
      {isOpen && <CorrectLedger onClose={() => setOpen(false)} />}
    </Section>
  );
}

interface CorrectDialogProps {
  title: string;
  /** Reads the accounts and club to correct from the form. */
  read: (form: FormData) => Pick<z.input<typeof correctLedger.input>, 'debit' | 'credit' | 'clubId'>;
  limit: string;
  reasonHint: string;
  onClose: () => void;
  children: (problem: ProblemOf) => ReactNode;
}

function CorrectDialog({ title, read, limit, reasonHint, onClose, children }: CorrectDialogProps) {
  const [id] = useState(() => crypto.randomUUID()); // one correction, however often the form is sent
  return (
    <ActDialog
      title={title}
      action="Correct"
      act={(form) =>
        call(correctLedger, {
          ...read(form),
          id,
          cents: parseTypedAmount(String(form.get('cents'))) ?? 0,
          reason: String(form.get('reason')),
        })
      }
      changes={[
        listCorrections,
        retrieveTrustBalance,
        listLedgerAccounts,
        listReceivables,
        retrieveClub,
        retrieveClubBalance,
        retrievePendingPayouts,
      ]}
      after={({ asked }) => asked && <WaitsForApproval asked={asked} />}
      onClose={onClose}
    >
      {(problem) => (
        <>
          {children(problem)}
          <TextField
            label="Amount in dollars"
            name="cents"
            inputMode="decimal"
            required
            hint={limit}
            error={problem('cents', parseTypedAmount)}
          />
          <TextField
            label="Reason"
            name="reason"
            maxLength={200}
            required
            hint={reasonHint}
            error={problem('reason')}
          />
        </>
      )}
    </ActDialog>
  );
}

const platformAccounts = CorrectableAccount.options
  .filter((account) => account !== 'owed_to_clubs')
  .map((value) => ({ value, label: accountName(value) }));

const accountIn = (form: FormData, name: string) => CorrectableAccount.parse(form.get(name));

/** Starts with no account preselected, so that both are chosen; neither side offers the account of the other. */
function CorrectLedger({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState({ debit: '', credit: '' });
  const accountSelect = (name: keyof typeof chosen, label: string, other: string) => (
    <Select
      label={label}
      name={name}
      all="Please choose"
      value={chosen[name]}
      onChange={(account) => setChosen({ ...chosen, [name]: account })}
      options={platformAccounts.filter(({ value }) => value !== other)}
    />
  );
  return (
    <CorrectDialog
      title="Correct the ledger"
      read={(form) => Object.fromEntries(form) as { debit: CorrectableAccount; credit: CorrectableAccount }}
      limit={secondPersonHint('day')}
      reasonHint="Kept in the books and the audit log."
      onClose={onClose}
    >
      {(problem) => {
        const unchosen = problem('debit') ?? problem('credit');
        return (
          <>
            <p>
              The amount moves between two accounts, for good. A club’s balance is corrected on the page of the club.
            </p>
            {accountSelect('debit', 'Debit', chosen.credit)}
            {accountSelect('credit', 'Credit', chosen.debit)}
            {unchosen && <Notice>{unchosen}</Notice>}
          </>
        );
      }}
    </CorrectDialog>
  );
}

/** Corrects the amount owed to one club. */
export const CorrectClub = ({ club, onClose }: { club: { id: string; name: string }; onClose: () => void }) => (
  <CorrectDialog
    title={`Correct the balance of ${club.name}`}
    read={(form) => {
      const other = accountIn(form, 'other');
      const isMore = form.get('direction') === 'more';
      return {
        clubId: club.id,
        debit: isMore ? other : 'owed_to_clubs',
        credit: isMore ? 'owed_to_clubs' : other,
      };
    }}
    limit={secondPersonHint('club and day')}
    reasonHint="The club’s treasurer reads it in the PDF and CSV of the payout."
    onClose={onClose}
  >
    {() => (
      <>
        <p>It is part of the next payout. No more is taken than the club has.</p>
        <Select
          label="The club gets"
          name="direction"
          options={[
            { value: 'more', label: 'More' },
            { value: 'less', label: 'Less' },
          ]}
        />
        <Select label="Against" name="other" options={platformAccounts.toReversed()} />
      </>
    )}
  </CorrectDialog>
);
