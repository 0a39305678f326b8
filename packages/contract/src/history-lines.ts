import { z } from 'zod';
import { operation } from './operation.ts';
import { text } from './text.ts';
import { wholeCents } from './whole-cents.ts';

const cdrid = z.uuid();
const path = '/client/round-up/user';

/** Reasons why a line counts other cents than expected. */
export const WhyCounted = z.enum([
  'exact amount',
  'over the weekly limit',
  'refunded',
  'a refund',
  'paused',
  'a bill',
  'not a purchase',
  'waiting for your bank',
]);
export type WhyCounted = z.infer<typeof WhyCounted>;

/** A line of the bank and its round-up. */
export const RoundUpHistoryItem = z.object({
  lineId: z.string().describe("the bank's id of the line, by which retrieveLine tells what happened to it"),
  createdDate: z.iso.date().describe('the Sydney day of the purchase'),
  description: z.string().describe('as the bank sent it'),
  amount: z.string().describe('the purchase in dollars, "4.35"; negative for a refund'),
  debitAmountCents: wholeCents.describe('what counted, in cents; negative for what a refund takes off'),
  why: WhyCounted.nullable().describe('null where all of the spare change counts'),
  state: z
    .enum(['waiting', 'submitted', 'cleared', 'refunded', 'returned', 'dropped', 'none'])
    .describe('what became of it'),
  given: z
    .object({
      on: z.iso.date().describe('the debit day'),
      clubCents: wholeCents.describe('the part of it that the club has; the parts of a debit add up to its own'),
    })
    .nullable()
    .describe('null while it is not debited, and for good where it never is'),
});
export type RoundUpHistoryItem = z.infer<typeof RoundUpHistoryItem>;

/** A debit that the lines do not show, or not all of it. */
export const HistoryDebit = z.object({
  debitId: z.string(),
  kind: z
    .enum(['one-off donation', 'round-ups'])
    .describe('a gift, or what a debit took for purchases that are not listed any more'),
  date: z.iso.date().describe('the debit day'),
  amountCents: wholeCents,
  clubCents: wholeCents.nullable().describe('the part of it that the club has; null while it is not debited'),
  state: z.enum(['waiting', 'submitted', 'cleared', 'refunded', 'returned']),
});
export type HistoryDebit = z.infer<typeof HistoryDebit>;

export const retrieveHistory = operation({
  name: 'retrieveHistory',
  method: 'POST',
  path: `${path}/retrieve-history`,
  access: 'supporter',
  summary: 'Round-ups and the lines that gave none, newest first.',
  readsOnly: true,
  input: z.object({ cdrid }),
  output: z.object({
    roundUphistory: z.array(RoundUpHistoryItem).describe('the newest 5,000'),
    debits: z
      .array(HistoryDebit)
      .describe(
        'one-off donations, and debits of which not every purchase is listed with the rest of them, newest first',
      ),
    olderLinesLeftOut: z.boolean().optional().describe('true where there are older ones'),
    bankDataDeletedOn: z.iso.date().nullable(),
  }),
});

const LineDebit = z.object({
  date: z.iso.date().describe('the debit day'),
  amountCents: wholeCents.min(1),
  clubCents: wholeCents.min(0),
  savingsCents: wholeCents.min(0),
  state: z.enum(['planned', 'submitted', 'cleared', 'refunded', 'returned', 'reversed', 'refused', 'waited']),
  refundedCents: wholeCents.min(0).describe('of it, what was given back to the supporter'),
  reference: z.string().describe("as shown on the supporter's bank statement"),
  providerReference: z.string().nullable(),
});

const Payout = z
  .object({
    date: z.iso.date(),
    reference: z.string(),
    state: z.enum(['planned', 'submitted', 'cleared', 'returned', 'reversed', 'refused']),
  })
  .nullable();

/** The trace of a bank line, from statement to club. */
export const LineChain = z.object({
  bank: z.object({
    date: z.iso.date(),
    description: z.string(),
    amount: z.string().describe('in dollars; negative for a refund'),
    account: z.string().nullable().describe('null where the account is not shared any more'),
  }),
  why: WhyCounted.nullable(),
  rounding: z
    .object({
      stepCents: wholeCents,
      weeklyLimitCents: wholeCents.describe('0 where there was none'),
      rawCents: wholeCents.min(0),
      countedCents: wholeCents.min(0),
    })
    .nullable()
    .describe('null where nothing was rounded'),
  pair: z
    .object({ lineId: z.string(), date: z.iso.date(), cents: wholeCents.min(0).describe('what is taken off') })
    .nullable()
    .describe('the refund of a purchase, or the purchase of a refund'),
  debits: z.array(LineDebit).describe('the debit that took it, then those that asked again for what had failed'),
  shares: z
    .object({ club: z.string(), clubCents: wholeCents, savingsCents: wholeCents })
    .nullable()
    .describe("this line's own part of the last debit; null while there is none"),
  remittance: Payout.describe("what paid the club's part out; null while it has not been"),
  deposit: Payout.describe('what paid the savings part into the savings account; null while nothing has'),
});
export type LineChain = z.infer<typeof LineChain>;

export const retrieveLine = operation({
  name: 'retrieveLine',
  method: 'POST',
  path: `${path}/retrieve-line`,
  access: 'supporter',
  summary: "What happened to one line of the supporter's history: rounding, debit, shares and remittance.",
  readsOnly: true,
  refusals: { 404: 'the caller has no such line' },
  input: z.object({ cdrid, lineId: text(200).min(1) }),
  output: z.object({ line: LineChain }),
});
