import { type Cents, cents, sydneyDay } from '@sparechange/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DebitOrder, DirectDebit, MandateRequest, PayoutOrder } from './direct-debit.ts';

/** A direct-debit provider that answers, and need not remember. */
export interface AnsweringDirectDebit {
  directDebit: DirectDebit;
  now(): Date;
  close(): Promise<void>;
}

const payer = { name: 'Zoë Nguyễn', email: 'zoe@example.com', bsb: '062000', accountNumber: '12345678' };

export async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

let count = 0;
export const nextId = (): string => {
  count += 1;
  return `0197a000-0000-7000-8000-${String(count).padStart(12, '0')}`;
};

/** Requests as the product makes them, with new ids. */
export function requestsTo(under: () => AnsweringDirectDebit) {
  const aMandate = (overrides: Partial<MandateRequest> = {}): Promise<string> =>
    under().directDebit.createMandate({ id: nextId(), ...payer, ceiling: cents(25_000), ...overrides });
  const orderOf = (amount: Cents) => {
    const id = nextId();
    return { id, amount, reference: `RU${id.slice(-12)}`, dueOn: sydneyDay(under().now()) };
  };
  return {
    aMandate,
    aDebit: async (amount = cents(435), mandateRef?: string): Promise<DebitOrder> => ({
      ...orderOf(amount),
      mandateRef: mandateRef ?? (await aMandate()),
      remitter: 'SPARECHANGE',
    }),
    aPayout: (amount = cents(1250)): PayoutOrder => ({ ...orderOf(amount), ...payer }),
  };
}

/** Describes the form of every provider's answers, even without memory. */
export function describeDirectDebitForm(name: string, make: () => Promise<AnsweringDirectDebit>): void {
  describe(`${name}: the form of its answers`, () => {
    let under: AnsweringDirectDebit;
    beforeEach(async () => {
      under = await make();
    });
    afterEach(() => under.close());
    const { aMandate, aDebit, aPayout } = requestsTo(() => under);

    test('a mandate has a reference to debit by, and can be cancelled', async () => {
      const mandateRef = await aMandate();
      expect(mandateRef).toMatch(/^\S+$/);
      await under.directDebit.cancelMandate(mandateRef);
    });

    test('debits are accepted each in its place, with a reference of the provider', async () => {
      const mandateRef = await aMandate();
      const orders = [await aDebit(cents(1), mandateRef), await aDebit(cents(25_000), mandateRef)];
      const providerRef = expect.stringMatching(/^\S+$/);
      const accepted = orders.map(({ id }) => ({ id, result: 'accepted', providerRef }));
      expect(await under.directDebit.submitDebits(orders)).toEqual(accepted);
    });

    test('payouts are accepted, with and without a name for the statement', async () => {
      const orders = [aPayout(), { ...aPayout(), remitter: 'SPARECHANGE' }];
      const providerRef = expect.stringMatching(/^\S+$/);
      const accepted = orders.map(({ id }) => ({ id, result: 'accepted', providerRef }));
      expect(await under.directDebit.submitPayouts(orders)).toEqual(accepted);
    });

    test('an order that was never made is looked for and not found', async () => {
      expect(await under.directDebit.findDebit(await aDebit())).toBeUndefined();
      expect(await under.directDebit.findPayout(aPayout())).toBeUndefined();
    });

    test.each([0, 1, 400])('changes and payments of the last %i days are listed', async (days) => {
      const since = new Date(under.now().getTime() - days * 86_400_000);
      for (const { providerRef, state, at } of await listOf(under.directDebit.outcomesSince(since))) {
        expect([providerRef, at.getTime()]).toEqual([expect.stringMatching(/^\S+$/), expect.any(Number)]);
        expect(['pending', 'cleared', 'returned']).toContain(state);
      }
      for (const { amount } of await listOf(under.directDebit.listPayments(since))) {
        expect(Number.isInteger(amount) && amount > 0).toBe(true);
      }
    });

    test('a notification without a signature is not believed', () =>
      expect(under.directDebit.parseNotification('{"data":[]}', {}, under.now())).toBeUndefined());
  });
}
