import { z } from 'zod';
import { day } from './day.ts';
import { operation } from './operation.ts';
import { text } from './text.ts';
import { wholeCents } from './whole-cents.ts';

const cdrid = z.uuid();
const path = '/client/round-up/user';

/** A balance below this, or below the debit, postpones it. */
export const BalanceFloor = z
  .literal([0, 50_00, 100_00, 200_00])
  .describe('cents; 0 means off: the balance is not read');

/**
 * When a supporter is emailed about debits; emails about failed debits and changes of the agreement are always sent.
 */
export const DebitNotices = z
  .enum(['each_debit', 'weekly', 'unusual', 'never'])
  .describe(
    'each_debit: the evening before each; weekly: a summary before the first of a week; unusual: before one of the first three or one more than twice the usual',
  );
export type DebitNotices = z.infer<typeof DebitNotices>;

/** The next debit as things stand, before anything is taken. */
export const NextDebit = z.object({
  run: z.iso.date().describe('the next debit day, which the supporter may skip until 06:00 of it'),
  isSkipped: z.boolean().describe('whether the supporter skips that day'),
  date: z.iso.date().describe('the day of the debit: the next debit day, or the one after it when that is skipped'),
  amountCents: wholeCents.min(0),
  account: z.object({ name: z.string(), accountNumber: z.string().describe('masked: all but the last 4 as X') }),
  statementTexts: z
    .array(z.string())
    .describe('as shown on the bank statement, one text per debit; the bank may put its own words before it'),
  purchases: z
    .array(
      z.object({
        date: z.iso.date().describe('the Sydney day of the purchase'),
        description: z.string().describe('as the bank sent it'),
        amount: z.string().describe('in dollars, "4.35"; negative for one that was paid back'),
        roundUpCents: wholeCents.describe('negative where a refund takes it off'),
      }),
    )
    .describe('newest first, at most 500'),
  waited: z
    .object({
      date: z.iso.date().describe('the debit day'),
      because: z.enum(['below floor', 'below debit', 'not readable']).describe('what the balance was'),
    })
    .nullable()
    .describe('the last debit, where it was not asked for and waits for this one'),
  balanceFloorCents: BalanceFloor,
  debitNotices: DebitNotices,
});
export type NextDebit = z.infer<typeof NextDebit>;

const output = z.object({ nextDebit: NextDebit.nullable().describe('null when nothing can be debited') });

export const retrieveNextDebit = operation({
  name: 'retrieveNextDebit',
  method: 'POST',
  path: `${path}/next-debit`,
  access: 'supporter',
  summary:
    'The next debit: when, how much so far, of which purchases, from which account, and the text on the statement.',
  readsOnly: true,
  refusals: { 404: 'the caller has not registered' },
  input: z.object({ cdrid }),
  output,
});

export const setDebitSkipped = operation({
  name: 'setDebitSkipped',
  method: 'POST',
  path: `${path}/set-debit-skipped`,
  access: 'supporter',
  summary: 'Skips the next debit day, or undoes that; what is waiting goes with the debit day after it.',
  refusals: { 404: 'the caller has not registered', 409: 'that day is not, or no longer, the next debit day' },
  input: z.object({ cdrid, date: day, isSkipped: z.boolean() }),
  output,
});

export const setDebitNotices = operation({
  name: 'setDebitNotices',
  method: 'POST',
  path: `${path}/set-debit-mails`,
  access: 'supporter',
  summary: 'Sets when the supporter is mailed about debits.',
  refusals: { 404: 'the caller has not registered' },
  input: z.object({ cdrid, debitNotices: DebitNotices }),
  output,
});

export const setBalanceFloor = operation({
  name: 'setBalanceFloor',
  method: 'POST',
  path: `${path}/set-balance-floor`,
  access: 'supporter',
  summary: 'Lets debits wait while there is less than this in the account, or than the debit itself.',
  refusals: { 404: 'the caller has not registered' },
  input: z.object({ cdrid, balanceFloorCents: BalanceFloor }),
  output,
});

const token = text(200).min(1).describe('of the mailed link');

export const skipDebitByLink = operation({
  name: 'skipDebitByLink',
  method: 'POST',
  path: `${path}/skip-debit-by-link`,
  access: 'open',
  summary: 'Skips the one debit day named by an emailed link, or undoes that. No sign-in is needed.',
  refusals: { 404: 'the link is not ours', 409: 'that day is not, or no longer, the next debit day' },
  input: z.object({ token, isSkipped: z.boolean() }),
  output: z.object({
    run: z.iso.date().describe('the debit day that the link names'),
    isSkipped: z.boolean(),
    date: z.iso.date().describe('the day on which what waits is debited now'),
  }),
});

export const setDebitNoticesByLink = operation({
  name: 'setDebitNoticesByLink',
  method: 'POST',
  path: `${path}/set-debit-mails-by-link`,
  access: 'open',
  summary: 'Sets when the supporter of an emailed link is emailed about debits. No sign-in is needed.',
  refusals: { 404: 'the link is not ours' },
  input: z.object({ token, debitNotices: DebitNotices }),
  output: z.object({}),
});
