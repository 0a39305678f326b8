import type { BalanceReading } from '@sparechange/domain';
import type { BankLink } from '#ports/bank-link.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import type { NextToSubmit } from './debit-repository.ts';

type GuardedAccount = Pick<NextToSubmit, 'bankCustomerId' | 'providerAccountId'>;

/** Balances read concurrently. */
const concurrency = 32;
/** Consecutive unanswered calls after which the bank link counts as unavailable for the rest of the submission. */
const maxUnanswered = 20;

/** Reads balances for one submission. Each call is bounded by the adapter. */
export function balanceReader(bankLink: Pick<BankLink, 'balanceOf'>) {
  let unanswered = 0;

  async function read({ bankCustomerId, providerAccountId }: GuardedAccount): Promise<BalanceReading> {
    if (!bankCustomerId || !providerAccountId) return undefined;
    if (unanswered >= maxUnanswered) return 'no answer';
    try {
      const balance = await bankLink.balanceOf(bankCustomerId, providerAccountId);
      unanswered = 0;
      return balance;
    } catch (error) {
      if (error instanceof ProviderRefused) return undefined;
      if (!(error instanceof ProviderUnavailable)) throw error;
      unanswered += 1;
      return 'no answer';
    }
  }

  /** Reads the balances, in the order of the accounts. */
  return async (accounts: GuardedAccount[]): Promise<BalanceReading[]> => {
    const balances: BalanceReading[] = accounts.map(() => undefined);
    const queue = accounts.entries();
    const worker = async () => {
      for (const [at, account] of queue) balances[at] = await read(account);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return balances;
  };
}
export type ReadBalances = ReturnType<typeof balanceReader>;
