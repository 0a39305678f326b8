import { type Cents, cents, subtract, total } from '../money.ts';
import type { SkipReason } from '../skip-reason.ts';

/** The facts that decide whether a run debits a supporter. */
export interface DebitCandidate {
  /** Counted and in no debit yet, the oldest first. */
  waiting: readonly Cents[];
  /** Asked for by debits that came back or waited, and to be asked for again, the oldest first. */
  represented: readonly Cents[];
  /** To be taken off for purchases that were paid back. */
  refunds: Cents;
  /** True if the run already debits this supporter. */
  isPlanned: boolean;
  hasCampaignEnded: boolean;
  isTenantSuspended: boolean;
  /** True if an operator holds their debits. */
  isOnHold: boolean;
  /** True if a debit was parked after an unanswered day. */
  hasParkedDebit: boolean;
  hasConsent: boolean;
  isPaused: boolean;
  /** True if they skip this run. */
  isSkipped: boolean;
  /** The least that their tenant debits. */
  minimum: Cents;
  /** Their agreed maximum; undefined without a usable, agreed funding account. */
  ceiling: Cents | undefined;
}

/** Returns all that waits less refunds, which may be negative. */
export const candidateOf = ({ waiting, represented, refunds }: DebitCandidate): Cents =>
  subtract(total([...waiting, ...represented]), refunds);

interface Taken {
  amount: Cents;
  /** Number of failed debits included; `waiting` counts round-ups. */
  represented: number;
  waiting: number;
}

function fitting(amounts: readonly Cents[], room: number): { count: number; sum: number } {
  let [count, sum] = [0, 0];
  for (const amount of amounts) {
    if (sum + amount > room) break;
    sum += amount;
    count += 1;
  }
  return { count, sum };
}

/**
 * Returns what one debit takes: everything, or as much as the ceiling allows, failed debits before round-ups and both the
 * oldest first. The rest waits for the next run.
 */
export function takenAtOnce({ waiting, represented, refunds, ceiling }: DebitCandidate): Taken {
  const room = (ceiling ?? Number.POSITIVE_INFINITY) + refunds;
  const again = fitting(represented, room);
  const fresh = again.count === represented.length ? fitting(waiting, room - again.sum) : { count: 0, sum: 0 };
  return { amount: cents(again.sum + fresh.sum - refunds), represented: again.count, waiting: fresh.count };
}

/** Returns the amount a run asks for: at most the ceiling, unless not even the first part fits. */
export function amountOf(supporter: DebitCandidate): Cents {
  const { amount } = takenAtOnce(supporter);
  return amount > 0 ? amount : candidateOf(supporter);
}

/** Returns the first reason that holds why somebody with something to debit is not debited; undefined where they are. */
export function debitIneligibility(supporter: DebitCandidate): SkipReason | undefined {
  if (supporter.isPlanned) return 'already planned';
  if (supporter.hasCampaignEnded) return 'campaign ended';
  if (supporter.isTenantSuspended) return 'tenant suspended';
  if (supporter.isOnHold) return 'on hold';
  if (supporter.hasParkedDebit) return 'debit parked';
  if (!supporter.hasConsent) return 'no consent';
  if (supporter.isPaused) return 'paused';
  if (supporter.isSkipped) return 'skipped';
  if (supporter.ceiling === undefined) return 'no funding account';
  if (candidateOf(supporter) < supporter.minimum) return 'below minimum';
  if (candidateOf(supporter) > supporter.ceiling && takenAtOnce(supporter).amount <= 0) return 'over ceiling';
  return undefined;
}

/** Returns whether something is due and nothing prevents a debit. */
export const isDebited = (supporter: DebitCandidate): boolean =>
  candidateOf(supporter) > 0 && debitIneligibility(supporter) === undefined;

/** A supporter with a choice of emails before a run. */
export interface MailReader {
  wantsDebitNotice: boolean;
}

/**
 * Returns the amount for the email of the evening before a run, or undefined if none is due: supporters that the run
 * would not debit as things stand get none (docs/decisions/email.md#debit-notices).
 */
export function noticeAmount(supporter: DebitCandidate & MailReader): Cents | undefined {
  return supporter.wantsDebitNotice && isDebited(supporter) ? amountOf(supporter) : undefined;
}
