import {
  becsReasons,
  cents,
  parseReturnCode,
  type ReturnCode,
  sydneyDay,
  unexplainedReturn,
} from '@sparechange/domain';
import type { Outcome, OutcomeState, ProviderPayment, RefusalCause } from '#ports/direct-debit.ts';
import { withoutSecrets } from '#providers/outgoing/without-secrets.ts';
import type { TransactionRow } from './answers.ts';

/** States of failed legs; `prefailed` is an older name. */
const failedStatuses = ['rejected', 'returned', 'voided', 'prefailed'];

/** A status we do not know concludes nothing. */
function stateOf(status: string): OutcomeState {
  if (status === 'cleared') return 'cleared';
  return failedStatuses.includes(status) ? 'returned' : 'pending';
}

/**
 * Failures that are not a bank's return. 6 (may be tried once more) where the account is not at fault: voided, our
 * float or Zepto's systems, the network; else what comes nearest.
 */
const otherFailures: Record<string, ReturnCode> = {
  E150: 6,
  E151: 6,
  E152: 6,
  E153: 6,
  E154: 2,
  E199: 9,
  E250: 6,
  E251: 6,
  E252: 6,
  E253: 6,
  E299: 9,
  E301: 6,
  E302: 9,
  E303: 9,
  E304: 5,
  E305: 6,
  E306: 3,
  E307: 6,
  E308: 2,
  E399: 9,
};

/** E101 to E109 are returned credits and E201 to E209 returned debits, numbered like the banks' own codes. */
export function toReturnCode(failureCode: string): ReturnCode {
  const [, digit] = /^E[12]0(\d)$/.exec(failureCode) ?? [];
  return (digit && parseReturnCode(digit)) || (otherFailures[failureCode] ?? unexplainedReturn);
}

/** For a leg that failed without saying why. */
const codeOfStatus: Record<string, ReturnCode> = { rejected: 5, voided: 6 };

function failureOf({ status, failure, failure_details: details }: TransactionRow): {
  code: ReturnCode;
  reason: string;
} {
  const code = failure?.code ? toReturnCode(failure.code) : (codeOfStatus[status] ?? unexplainedReturn);
  const words = [failure?.code, failure?.title, details ?? failure?.detail].filter(Boolean).join(', ');
  return { code, reason: withoutSecrets(words) || becsReasons[code] };
}

/** Payment requests, PR.*, collect; payments, PB.*, pay out. */
export type OrderKind = 'debit' | 'payout';

export function kindOf(providerRef: string): OrderKind | undefined {
  if (providerRef.startsWith('PR.')) return 'debit';
  return providerRef.startsWith('PB.') ? 'payout' : undefined;
}

/** The other party's leg decides: payer's debit, payee's credit. */
function isDecisive({ type, category }: TransactionRow, kind: OrderKind): boolean {
  return (category ?? 'payout') === 'payout' && type === (kind === 'debit' ? 'debit' : 'credit');
}

/**
 * Returns the outcome a leg tells of its order; undefined for a leg without one. Besides the decisive leg, our own
 * debit tells that a payout failed for want of funds, and a recovery that a debit was reversed.
 */
export function toOutcome(row: TransactionRow): Outcome | undefined {
  const kind = kindOf(row.parent_ref ?? '');
  if (!row.parent_ref || !kind) return undefined;
  const outcome = { providerRef: row.parent_ref, at: row.status_changed_at };
  const state = stateOf(row.status);
  const hasFailed = state === 'returned';
  if (isDecisive(row, kind)) return hasFailed ? { ...outcome, state, ...failureOf(row) } : { ...outcome, state };
  if (row.type !== 'debit') return undefined;
  if (kind === 'payout') return hasFailed ? { ...outcome, state, ...failureOf(row) } : undefined;
  const isTakenBack = row.category === 'recovery' && !hasFailed;
  return isTakenBack ? { ...outcome, state: 'returned', code: 2, reason: 'recovered by the provider' } : undefined;
}

/** Returns an order by its decisive leg; undefined for others. */
export function toProviderPayment(row: TransactionRow): ProviderPayment | undefined {
  const kind = kindOf(row.parent_ref ?? '');
  if (!row.parent_ref || !kind || !isDecisive(row, kind)) return undefined;
  const { parent_ref: providerRef, description, status, cleared_at: clearedAt, status_changed_at: changedAt } = row;
  const settled = kind === 'debit' && clearedAt ? { settledOn: sydneyDay(clearedAt) } : {};
  return {
    providerRef,
    amount: cents(row.amount),
    reference: description ?? '',
    state: stateOf(status),
    changedAt,
    ...settled,
  };
}

/** Returns a plain ASCII name of at most 140 letters. */
export function plainName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[’‘]/g, "'")
    .replace(/[^ -~]/g, ' ');
  return plain.replace(/\s+/g, ' ').trim().slice(0, 140).trim();
}

/** Zepto refuses in sentences alone; the first matching pattern decides. */
const patterns: readonly [RefusalCause, RegExp][] = [
  [
    'mandate_cancelled',
    /valid agreement in place|no (valid |accepted )?agreement|agreement (is|was|has been) (cancelled|declined|expended)/i,
  ],
  ['above_ceiling', /exceeds the agreement|terms of the agreement/i],
  [
    'not_permitted',
    /your (bank )?account (is )?(not|blocked)|not (permitted|allowed|authori[sz]ed) to|account is (suspended|closed)/i,
  ],
  [
    'account_invalid',
    /contact .{0,100}(removed|is blocked|not receivable)|(branch code|account number|bank account) .{0,100}invalid/i,
  ],
];

/** Returns why Zepto refused an order, by its words. */
export function refusalCauseOf(reason: string): RefusalCause {
  return patterns.find(([, pattern]) => pattern.test(reason))?.[0] ?? 'other';
}
