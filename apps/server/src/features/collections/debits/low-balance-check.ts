import { checkBalance, type DeferralReason } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { isDatabaseUnavailable } from '#db/database-answers.ts';
import type { Clock } from '#ports/clock.ts';
import type { NextToSubmit } from './debit-repository.ts';
import { deferDebit } from './defer-debit.ts';
import type { ReadBalances } from './read-balances.ts';

export interface WaitingDebits {
  /** Number deferred to the next run, by reason. */
  deferred: Partial<Record<DeferralReason, number>>;
  /** Number still planned: the bank link is queried again for their balances until 09:00. */
  awaitsBalances: number;
}

export interface BalanceCheck {
  readBalances: ReadBalances;
  /** True while unreadable balances are queried again in this run. */
  mayAskAgain: boolean;
  waiting: WaitingDebits;
}

/**
 * Defers debits whose account has too little in it; returns those that go. Reading changes nothing and each deferral is
 * one transaction, so a process that dies here leaves planned debits, which the next submission checks again. A failed
 * deferral also stays planned, with the reason in `failures`.
 */
export async function deferLowBalances(
  { db, clock }: { db: Pool; clock: Clock },
  { readBalances, mayAskAgain, waiting }: BalanceCheck,
  debits: NextToSubmit[],
  failures: unknown[],
): Promise<NextToSubmit[]> {
  const guarded = debits.filter(({ floor }) => floor > 0);
  const going = debits.filter(({ floor }) => floor === 0);
  const balances = await readBalances(guarded);
  for (const [at, debit] of guarded.entries()) {
    const verdict = checkBalance({ ...debit, balance: balances[at], mayAskAgain });
    if (verdict === 'goes') going.push(debit);
    else if (verdict === 'asked again') waiting.awaitsBalances += 1;
    else {
      try {
        const isDeferred = await deferDebit(db, clock, debit, verdict);
        if (isDeferred) waiting.deferred[verdict] = (waiting.deferred[verdict] ?? 0) + 1;
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        failures.push(error);
      }
    }
  }
  return going;
}
