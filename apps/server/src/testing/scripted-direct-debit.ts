import type { DebitOrder, DirectDebit, Outcome, ReturnCode, Submission } from '#ports/direct-debit.ts';
import { ProviderUnavailable } from '#ports/errors.ts';

/** What becomes of a submitted order. With the last two nobody answers: in one the order was taken, in the other not. */
export type Fate = 'accepted' | 'refused' | 'taken but unanswered' | 'lost and unanswered';

export interface ScriptedDirectDebit extends DirectDebit {
  /** Decides on each order; accepts by default. */
  fate: (order: DebitOrder) => Fate;
  /** What was asked of it, in order: "submit 1.45" and "find 1.45". */
  log: string[];
  /** Every order that took effect, by the reference it was given; one that took effect twice is here twice. */
  taken: { providerRef: string; order: DebitOrder }[];
  /** What it will say of outcomes, whenever it is asked. */
  outcomes: Outcome[];
  isDown: boolean;
}

export const returned = (providerRef: string, code?: ReturnCode): Outcome => ({
  providerRef,
  state: 'returned',
  at: new Date('2026-11-27T00:00:00Z'),
  ...(code ? { code } : {}),
});

export const cleared = (providerRef: string): Outcome => ({
  providerRef,
  state: 'cleared',
  at: new Date('2026-11-27T00:00:00Z'),
});

const never = () => Promise.reject(new Error('not part of this test'));

/** A direct-debit provider that does what a test tells it, and takes an order as often as it is submitted. */
export function scriptedDirectDebit(): ScriptedDirectDebit {
  const take = (order: DebitOrder): string => {
    const providerRef = `ref-${order.id}-${provider.taken.filter((other) => other.order.id === order.id).length}`;
    provider.taken.push({ providerRef, order });
    return providerRef;
  };
  const decide = (order: DebitOrder): Submission => {
    const { id } = order;
    const fate = provider.fate(order);
    if (fate === 'accepted') return { id, result: 'accepted', providerRef: take(order) };
    if (fate === 'refused') return { id, result: 'refused', reason: 'mandate not found' };
    if (fate === 'taken but unanswered') take(order);
    return { id, result: 'unknown', reason: 'timed out' };
  };
  const say = (what: string, { amount }: DebitOrder) => provider.log.push(`${what} ${(amount / 100).toFixed(2)}`);
  const provider: ScriptedDirectDebit = {
    fate: () => 'accepted',
    log: [],
    taken: [],
    outcomes: [],
    isDown: false,
    createMandate: async ({ id }) => `mandate-${id}`,
    submitDebits: async (orders) => {
      if (provider.isDown) throw new ProviderUnavailable('down');
      for (const order of orders) say('submit', order);
      return orders.map(decide);
    },
    findDebit: async (order) => {
      if (provider.isDown) throw new ProviderUnavailable('down');
      say('find', order);
      return provider.taken.find((other) => other.order.id === order.id)?.providerRef;
    },
    outcomesSince: async function* (since) {
      yield* provider.outcomes.filter((outcome) => outcome.at >= since);
    },
    parseNotification: () => undefined,
    submitPayouts: never,
    findPayout: never,
    async *listPayments() {},
  };
  return provider;
}
