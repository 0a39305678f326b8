import { z } from 'zod';
import { day } from '../day.ts';
import { text } from '../text.ts';
import { wholeCents } from '../whole-cents.ts';
import { Asked } from './developers.ts';
import { clubBalances } from './follows.ts';
import { consoleOperation, exampleId, freshId } from './operation.ts';
import { Paged, pageOf } from './paging.ts';

const workers = ['owner', 'finance'] as const;
const reason = text(200).trim().min(1, 'Please say why');
/** Chosen by the caller: the same id books once. */
const id = z.uuid();
const cents = wholeCents.positive('Please enter an amount');
const DoneOrAsked = z.object({ asked: Asked.nullable().describe('what waits for a second person') });

/** Accounts that a person may correct: what is owed to savers and payers follows from the ledgers below alone. */
export const CorrectableAccount = z.enum(
  ['provider_float', 'receivable_from_payer', 'fees', 'operator_loss', 'operator_funds', 'suspense', 'owed_to_clubs'],
  'Please choose an account',
);
export type CorrectableAccount = z.infer<typeof CorrectableAccount>;

export const LedgerCorrection = z.object({
  id: z.string(),
  bookedOn: day,
  debit: CorrectableAccount,
  credit: CorrectableAccount,
  cents: wholeCents,
  reason: z.string().nullable(),
  clubId: z.uuid().nullable(),
  club: z.string().nullable(),
});
export type LedgerCorrection = z.infer<typeof LedgerCorrection>;

/** Lists corrections of the ledger, write-offs included, the newest first: all, or a club's. */
export const listCorrections = consoleOperation({
  name: 'listCorrections',
  method: 'GET',
  path: '/ledger/corrections',
  allowed: workers,
  readsOnly: true,
  follows: ['clubs', 'club_entries', 'platform_entries'],
  input: Paged.extend({ clubId: z.uuid().optional() }),
  output: pageOf(LedgerCorrection),
});

/** Moves an amount to the debit of one account and the credit of another; a club goes with what is owed to clubs. */
export const correctLedger = consoleOperation({
  name: 'correctLedger',
  method: 'POST',
  path: '/ledger/correct',
  allowed: workers,
  isDangerous: true,
  audited: ['id', 'debit', 'credit', 'clubId', 'cents', 'reason'],
  words: 'Corrected the ledger, or asked for it',
  input: z
    .object({
      id,
      debit: CorrectableAccount,
      credit: CorrectableAccount,
      clubId: z.uuid().optional(),
      cents,
      reason,
    })
    .refine(({ debit, credit }) => debit !== credit, { message: 'Please choose two accounts', path: ['credit'] })
    .refine(
      ({ debit, credit, clubId }) => (clubId !== undefined) === [debit, credit].includes('owed_to_clubs'),
      'A club goes with what is owed to clubs, and only with it',
    ),
  example: { id: freshId, debit: 'fees', credit: 'operator_funds', cents: 100, reason: 'a fee' },
  output: DoneOrAsked,
});

/** Returns what a club owes now, taken back by banks or refunded after it was paid out, and what is held back from it. */
export const retrieveClubBalance = consoleOperation({
  name: 'retrieveClubBalance',
  method: 'GET',
  path: '/ledger/club',
  allowed: workers,
  readsOnly: true,
  follows: clubBalances,
  input: z.object({ clubId: z.uuid() }),
  example: { clubId: exampleId },
  output: z.object({
    owesCents: wholeCents.describe('beyond its reserve'),
    reservedCents: wholeCents,
    reserveCents: wholeCents.describe('held back at most; 0 is off'),
  }),
});

/** Sets how much of a club's payouts is held back at most, for claims after the payout. */
export const setClubReserve = consoleOperation({
  name: 'setClubReserve',
  method: 'POST',
  path: '/ledger/reserve',
  allowed: workers,
  isDangerous: true,
  audited: ['clubId', 'cents'],
  words: 'Set what is held back from a club',
  input: z.object({
    clubId: z.uuid(),
    cents: wholeCents.min(0, 'Please enter an amount').max(100_000_000, 'Please enter at most $1,000,000'),
  }),
  example: { clubId: exampleId, cents: 100_00 },
  output: z.object({}),
});

/** Writes off a club's debt as the operator's loss. */
export const writeOffClub = consoleOperation({
  name: 'writeOffClub',
  method: 'POST',
  path: '/ledger/write-off',
  allowed: workers,
  isDangerous: true,
  audited: ['id', 'clubId', 'cents', 'reason'],
  words: 'Wrote off what a club owes, or asked for it',
  input: z.object({ id, clubId: z.uuid(), cents, reason }),
  example: { id: freshId, clubId: exampleId, cents: 100, reason: 'given up' },
  output: DoneOrAsked,
});
