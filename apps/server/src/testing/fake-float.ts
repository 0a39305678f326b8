import { add, type Cents, cents, noCents } from '@sparechange/domain';
import type { ProviderAccount, ProviderEntry } from '#ports/direct-debit.ts';
import type { TakenPayment } from './fake-direct-debit.ts';

type Movement = Pick<ProviderEntry, 'id' | 'at' | 'amount' | 'description' | 'reference'>;

/** Lists what payments moved on our account. */
const movementsOf = (taken: readonly TakenPayment[]): Movement[] =>
  taken.flatMap(({ kind, providerRef, reference, amount, state, takenAt, clearedAt, changedAt }) => {
    const moved = kind === 'payout' ? amount * -1 : amount;
    const at = kind === 'payout' ? takenAt : clearedAt;
    const movement = { id: `FE${providerRef}`, amount: cents(moved), description: providerRef, reference };
    if (!at) return [];
    const back = { ...movement, id: `${movement.id} back`, at: changedAt, amount: cents(-moved) };
    return [{ ...movement, at }, ...(state === 'returned' ? [back] : [])];
  });

/** Keeps our account with a fake provider: entries of its payments, and those that a test books besides. */
export function fakeFloat(taken: readonly TakenPayment[], number = '8029191748212') {
  const booked: Movement[] = [];
  const hidden = new Set<string>();
  function entriesByTime(): ProviderEntry[] {
    let balance: Cents = noCents;
    return [...movementsOf(taken), ...booked]
      .toSorted((one, other) => Number(one.at) - Number(other.at))
      .map((movement) => {
        balance = add(balance, movement.amount);
        return { ...movement, balanceAfter: balance };
      });
  }
  const account: ProviderAccount = {
    name: 'Float Account',
    number,
    async *entries(from, until) {
      const listed = entriesByTime().filter(({ id, at }) => at >= from && at < until && !hidden.has(id));
      for (const entry of listed.toReversed()) yield entry;
    },
  };
  return {
    account,
    /** Books an amount that belongs to no payment. */
    book: (at: string, amount: number, description: string): void =>
      void booked.push({ id: `FE${description}`, at: new Date(at), amount: cents(amount), description }),
    /** Leaves an entry out of its list, as if a page were lost. */
    hide: (id: string): void => void hidden.add(id),
    show: (): void => hidden.clear(),
  };
}
