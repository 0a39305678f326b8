import {
  ChangedLines,
  type ImportedStatement,
  importStatement,
  listLedgerAccounts,
  listStatementImports,
  listStatementLines,
  retrieveDay,
  retrieveTrustBalance,
} from '@sparechange/contract/console';
import { gapInWords } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Checkbox } from '@sparechange/web/ui/checkbox.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { problemOf } from '#api/call-problem.ts';
import { useAnswer } from '#api/use-answer.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Select } from '../../ui/filters.tsx';
import type { ProblemOf } from '../../ui/form.tsx';
import { packedFileIn, someContent } from '../../ui/read-file.ts';
import { amountIn } from '../parts/amount-field.tsx';

const changes = [listStatementLines, listStatementImports, retrieveDay, retrieveTrustBalance, listLedgerAccounts];

export const resultInWords = ({ lines, added, matched, open }: ImportedStatement): string =>
  `${counted(lines, 'line')} read, ${added.toLocaleString('en-AU')} of them new. ${counted(matched, 'line')} matched now; ${counted(open, 'line')} of all statements unmatched.`;

/** Questions before an import books anything; each stays visible. */
const questions = ['changedLines', 'acceptedCents'] as const;
type Question = (typeof questions)[number];

export const ImportStatement = ({ onClose }: { onClose: () => void }) => {
  const { data } = useAnswer(listStatementImports, {});
  const [askedNow, setAsked] = useState<readonly Question[]>([]);
  // One that went on in the background may have ended with a question.
  const askedBefore = data?.imports[0]?.questions ?? [];
  const asked = questions.filter((question) => askedNow.includes(question) || askedBefore.includes(question));
  const send = async (form: FormData) => {
    const { data: changedLines } = ChangedLines.safeParse(form.get('changedLines'));
    return call(importStatement, {
      ...(await packedFileIn(form, 'content')),
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
      after={(answer) =>
        'underWay' in answer ? (
          <p>The file is large, so the import continues in the background. This page shows its progress and result.</p>
        ) : (
          <>
            <p>{resultInWords(answer)}</p>
            {answer.gapCents !== 0 && <Notice>{gapInWords(answer.gapCents)}</Notice>}
          </>
        )
      }
      onClose={onClose}
    >
      {(problem) => <StatementFields asked={asked} problem={problem} />}
    </ActDialog>
  );
};

const StatementFields = ({ asked, problem }: { asked: readonly Question[]; problem: ProblemOf }) => (
  <>
    <p>
      A statement of whole days as your bank exports it: CSV, camt.053, MT940, OFX or BAI2. In another CSV file the
      first line names its columns: date (2026-12-31, 31/12/2026 or 31-12-2026), amount (in dollars, negative where
      money left) and description, and also reference, transaction_id and balance where the bank gives them. Lines that
      are known are left out, so the same file twice is safe. New lines go to suspense until something explains them.
    </p>
    <TextField
      label="File"
      name="content"
      type="file"
      accept=".csv,.txt,.xml,.sta,.940,.mt940,.ofx,.qfx,.bai,.bai2,.nai,text/csv,text/xml"
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
