import { z } from 'zod';
import { day } from '../day.ts';
import { text } from '../text.ts';
import { wholeCents } from '../whole-cents.ts';
import { Asked } from './developers.ts';
import { clubBalances } from './follows.ts';
import { consoleOperation } from './operation.ts';
import { Paged, pageOf } from './paging.ts';
import type { Role } from './roles.ts';

const instant = z.iso.datetime();
const readers: readonly Role[] = ['owner', 'finance', 'viewer'];
const workers: readonly Role[] = ['owner', 'finance'];

/** An amount of one account of the ledger. */
const AccountAmount = z.object({ account: z.string(), cents: wholeCents });

/** One movement as the bank, the provider and the ledger have it. */
export const ComparedRow = z.object({
  id: z.string(),
  kind: z.enum(['settlement', 'collection', 'payout', 'payout_returned', 'claim', 'by_hand', 'open']),
  matchedWith: z.string().nullable().describe('the day of a settlement, a reference or an account'),
  description: z.string().nullable().describe('null for people who see no lines'),
  bankCents: wholeCents.nullable(),
  bankDay: day.nullable(),
  providerCents: wholeCents.nullable(),
  ledgerCents: wholeCents.nullable().describe('null while in suspense, or on no statement'),
  differenceCents: wholeCents,
  isWaiting: z.boolean(),
});
export type ComparedRow = z.infer<typeof ComparedRow>;

/** Compares bank statement, provider and ledger for a Sydney day. */
export const retrieveDay = consoleOperation({
  name: 'retrieveDay',
  method: 'GET',
  path: '/reconciliation/day',
  allowed: readers,
  readsOnly: true,
  follows: ['bank_statement_lines', 'platform_entries', 'provider_settlements'],
  input: z.object({ day }),
  example: { day: '2026-11-24' },
  output: z.object({
    bank: z.object({ lines: z.int(), inCents: wholeCents, outCents: wholeCents, open: z.int(), openCents: wholeCents }),
    provider: z
      .object({ payments: z.int(), cents: wholeCents, readAt: instant })
      .nullable()
      .describe('what it settled on the day; null while no reconciliation has read it'),
    ledger: z.array(AccountAmount).describe('what was booked on the day'),
    comparison: z
      .object({
        state: z
          .enum(['agrees', 'differs', 'waiting', 'nothing'])
          .describe('waiting for the bank to book a settlement'),
        differenceCents: wholeCents,
        differing: z.int(),
        more: z.int().describe('lines beyond those compared'),
        rows: z.array(ComparedRow),
      })
      .describe('the lines of the day and its settlements, those that differ first'),
  }),
});
export type ReconciledDay = z.infer<typeof retrieveDay.output>;

export const StatementLine = z.object({
  id: z.string(),
  account: z.string().describe('masked'),
  lineId: z.string(),
  bookedOn: day,
  cents: wholeCents.describe('money that left is negative'),
  description: z.string(),
  reference: z.string().nullable().describe('one of ours'),
  matchedKind: z.enum(['settlement', 'collection', 'payout', 'payout_returned', 'claim', 'by_hand']).nullable(),
  matchedWith: z.string().nullable(),
});
export type StatementLine = z.infer<typeof StatementLine>;

/** Lists lines of the trust account's statements, the newest first. */
export const listStatementLines = consoleOperation({
  name: 'listStatementLines',
  method: 'GET',
  path: '/reconciliation/lines',
  allowed: workers,
  readsOnly: true,
  follows: ['bank_statement_lines'],
  input: Paged.extend({
    after: text(43)
      .regex(/^\d{4}-\d\d-\d\d [0-9a-f]{32}$/)
      .optional(),
    day: day.optional(),
    state: z.enum(['open', 'matched']).optional(),
  }),
  output: pageOf(StatementLine),
});

const reason = text(200).trim().min(1, 'Please say why');

/** Accounts that explain a line by hand. */
export const HandAccount = z.enum(['fees', 'operator_funds', 'operator_loss', 'provider_float']);
export type HandAccount = z.infer<typeof HandAccount>;

export const matchStatementLine = consoleOperation({
  name: 'matchStatementLine',
  method: 'POST',
  path: '/reconciliation/lines/match',
  allowed: workers,
  isDangerous: true,
  audited: ['account', 'lineId', 'to', 'reason'],
  words: 'Matched a line of a bank statement',
  input: z.object({ account: text(100), lineId: text(300), to: HandAccount, reason }),
  example: { account: 'xxx', lineId: 'unknown', to: 'fees', reason: 'a fee' },
  output: z.object({
    isNew: z.boolean().describe('false where it was matched before, or waits for a second person'),
    asked: Asked.nullable(),
  }),
});

/**
 * Shows money that is held against what is owed: payments until the end of the last closed day, statement lines and
 * corrections until now; and what clubs owe now.
 */
export const retrieveTrustBalance = consoleOperation({
  name: 'retrieveTrustBalance',
  method: 'GET',
  path: '/reconciliation/balance',
  allowed: readers,
  readsOnly: true,
  follows: [...clubBalances, 'platform_balances'],
  input: z.object({}),
  output: z.object({
    today: day.describe("the product's"),
    closedUntil: day.nullable(),
    held: z.array(AccountAmount),
    owed: z.array(AccountAmount),
    shortfalls: z.array(AccountAmount),
    receivable: z.object({ clubs: z.int(), cents: wholeCents }).describe('what clubs owe now, in all'),
  }),
});

/** Balance of one account of the ledger: payments until `closedUntil`, statement lines and corrections until now. */
export const LedgerAccount = AccountAmount.extend({
  id: z.string().describe('the account'),
  side: z.enum(['asset', 'liability']),
  closedUntil: day.nullable(),
});
export type LedgerAccount = z.infer<typeof LedgerAccount>;

/** Lists every account of the ledger, those at zero too, on one page. */
export const listLedgerAccounts = consoleOperation({
  name: 'listLedgerAccounts',
  method: 'GET',
  path: '/reconciliation/accounts',
  allowed: workers,
  readsOnly: true,
  follows: ['platform_balances', 'ledger_entries', 'closed_days'],
  input: Paged,
  output: pageOf(LedgerAccount),
});

/** A club owes this much now, beyond its reserve. */
export const Receivable = z.object({ id: z.uuid().describe('the club'), club: z.string(), cents: wholeCents });
export type Receivable = z.infer<typeof Receivable>;

/** Lists the clubs that owe something, the largest debt first. */
export const listReceivables = consoleOperation({
  name: 'listReceivables',
  method: 'GET',
  path: '/reconciliation/receivables',
  allowed: readers,
  readsOnly: true,
  follows: clubBalances,
  input: Paged.extend({
    after: text(60)
      .regex(/^\d{1,15} [0-9a-f-]{36}$/)
      .optional(),
  }),
  output: pageOf(Receivable),
});

export const BookCheck = z.object({
  id: z.string(),
  kind: z.enum(['nightly_audit', 'full_audit', 'reconciliation']),
  startedAt: instant,
  tookMs: z.int(),
  coveredUntil: day.nullable(),
  found: z.int(),
  leftOut: z.int(),
});
export type BookCheck = z.infer<typeof BookCheck>;

/** Lists reconciliations and audits, the newest first. */
export const listBookChecks = consoleOperation({
  name: 'listBookChecks',
  method: 'GET',
  path: '/reconciliation/checks',
  allowed: readers,
  readsOnly: true,
  follows: ['book_checks'],
  input: Paged.extend({ after: instant.optional() }),
  output: pageOf(BookCheck),
});

const Match = z.enum(['behind', 'missing_here', 'missing_there', 'amount_differs', 'outcome_differs', 'parked']);

const Difference = z.object({
  id: z.string(),
  match: Match,
  kind: z.enum(['debit', 'deposit', 'remittance', 'repayment', 'payment']),
  reference: z.string(),
  ours: z.string().nullable(),
  cents: wholeCents.nullable(),
  theirs: z.string().nullable(),
  theirCents: wholeCents.nullable(),
});
export type Difference = z.infer<typeof Difference>;

/** Asks the provider for all payments from a day on, keeps what it settled, and matches open lines with it. */
export const reconcileAgain = consoleOperation({
  name: 'reconcileAgain',
  method: 'POST',
  path: '/reconciliation/again',
  isSlow: true,
  allowed: workers,
  isDangerous: true,
  audited: ['day'],
  words: 'Reconciled again',
  input: z.object({ day }),
  example: { day: '2026-11-24' },
  output: z.object({ matched: z.int(), differing: z.int(), differences: z.array(Difference), openLines: z.int() }),
});
