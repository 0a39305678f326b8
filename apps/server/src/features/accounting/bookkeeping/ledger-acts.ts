import {
  accountName,
  CorrectableAccount,
  correctLedger as correctLedgerCall,
  writeOffClub,
} from '@sparechange/contract/console';
import { cents, formatCents } from '@sparechange/domain';
import { z } from 'zod';
import { clubWords } from '#features/beneficiaries/clubs/club-words.ts';
import { type ApprovalDeps, NoLongerPossible } from '#features/core/approvals/approve.ts';
import type { HowCarriedOut } from '#features/core/approvals/carry-out.ts';
import { defineAct } from '#features/core/approvals/define-act.ts';
import { type Corrected, correctLedger, writeOff } from './correct-ledger.ts';

const booked = z.object({ id: z.string(), amount: z.int().positive().transform(cents), reason: z.string() });

/** Throws NoLongerPossible where the agreed act can no longer be booked, so that it does not count as carried out. */
async function unlessChanged(booking: Promise<Corrected>, { recordEnd }: HowCarriedOut): Promise<Corrected> {
  const booked = await booking;
  const isBooked = booked.result === 'booked' || booked.result === 'booked before';
  if (recordEnd && !isBooked)
    throw new NoLongerPossible('The books have changed since this was asked for; nothing was booked.');
  return booked;
}

export const clubWriteOff = defineAct({
  name: 'write_off',
  arguments: booked.extend({ clubId: z.string() }),
  askedBy: [writeOffClub],
  isDecidedByFinance: true,
  carryOut: (deps: ApprovalDeps, args, by, how) => unlessChanged(writeOff({ ...deps, by }, args, how.limit), how),
  isForOne: async () => true,
  describe: async (looking, { id, amount, reason, clubId }) => ({
    Amount: formatCents(amount),
    'Owed by': await clubWords(looking, clubId),
    Reason: reason,
    'Booked as': id,
  }),
});

export const ledgerCorrection = defineAct({
  name: 'ledger_correction',
  arguments: booked.extend({
    debit: CorrectableAccount,
    credit: CorrectableAccount,
    clubId: z.string().optional(),
  }),
  askedBy: [correctLedgerCall],
  isDecidedByFinance: true,
  carryOut: (deps: ApprovalDeps, args, by, how) => unlessChanged(correctLedger({ ...deps, by }, args, how.limit), how),
  isForOne: async () => true,
  describe: async (looking, { id, debit, credit, amount, reason, clubId }) => ({
    Amount: formatCents(amount),
    'Debit of': accountName(debit),
    'Credit of': accountName(credit),
    Club: await clubWords(looking, clubId),
    Reason: reason,
    'Booked as': id,
  }),
});
