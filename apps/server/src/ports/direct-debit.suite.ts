import { cents, type ReturnCode } from '@sparechange/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DebitOrder, DirectDebit, Outcome } from './direct-debit.ts';
import {
  type AnsweringDirectDebit,
  describeDirectDebitForm,
  listOf,
  nextId,
  requestsTo,
} from './direct-debit-form.suite.ts';
import { ProviderUnavailable } from './errors.ts';

/** A direct-debit provider with control over time, banks and faults. */
export interface DirectDebitUnderTest extends AnsweringDirectDebit {
  /** Lets time pass until everything submitted has cleared or returned. */
  settle(): Promise<void>;
  /** Lets the next order come back with that code. */
  returnNext(kind: 'debit' | 'payout', code: ReturnCode): Promise<void>;
  /** A debit that has cleared comes back. */
  returnLate(providerRef: string, code: ReturnCode): Promise<void>;
  /** The next submission gets no answer, also when repeated. */
  timeOut(when: 'before effect' | 'after effect'): Promise<void>;
  /** Lists what the provider has really taken, even where it answered otherwise. */
  taken(): Promise<{ reference: string; amount: number }[]>;
  /** Notification of the latest outcome; absent where none is sent. */
  latestNotification?(): Promise<{ rawBody: string; headers: Record<string, string | undefined> }>;
  breakDown(): Promise<void>;
}

/** Describes every direct-debit provider, the fake and the real ones. */
export function describeDirectDebit(name: string, make: () => Promise<DirectDebitUnderTest>): void {
  describeDirectDebitForm(name, make);

  describe(name, () => {
    let under: DirectDebitUnderTest;
    let directDebit: DirectDebit;
    beforeEach(async () => {
      under = await make();
      directDebit = under.directDebit;
    });
    afterEach(() => under.close());

    const { aMandate, aDebit, aPayout } = requestsTo(() => under);
    const refOf = async (order: DebitOrder): Promise<string> => {
      const [answer] = await directDebit.submitDebits([order]);
      return answer?.result === 'accepted' ? answer.providerRef : `not accepted: ${JSON.stringify(answer)}`;
    };
    const latestOutcome = async (providerRef: string, since = new Date(0)): Promise<Outcome | undefined> =>
      (await listOf(directDebit.outcomesSince(since))).find((outcome) => outcome.providerRef === providerRef);
    const takenTimes = async ({ reference }: { reference: string }): Promise<number> =>
      (await under.taken()).filter((payment) => payment.reference === reference).length;

    test('asking for a mandate again gives the same one, another request another', async () => {
      const id = nextId();
      const first = await aMandate({ id });
      expect(await aMandate({ id })).toBe(first);
      expect(await aMandate()).not.toBe(first);
    });

    test('a mandate is found by our id while it is in effect', async () => {
      const payer = { id: nextId(), name: 'Zoë Hall', email: 'zoe@example.com' };
      expect(await directDebit.findMandate(payer)).toBeUndefined();
      const mandateRef = await aMandate(payer);
      await aMandate({ ...payer, id: nextId() });
      expect(await directDebit.findMandate(payer)).toBe(mandateRef);
      await directDebit.cancelMandate(mandateRef);
      expect(await directDebit.findMandate(payer)).toBeUndefined();
    });

    test('a mandate is found also where its payer has another address since', async () => {
      const payer = { id: nextId(), name: 'Zoë Hall', email: 'before@example.com' };
      const mandateRef = await aMandate(payer);
      await aMandate({ ...payer, id: nextId() });
      expect(await directDebit.findMandate({ ...payer, email: 'after@example.com' })).toBe(mandateRef);
    });

    test('a debit is pending until it clears', async () => {
      const order = await aDebit();
      const ref = await refOf(order);
      expect((await latestOutcome(ref))?.state).toBe('pending');
      await under.settle();
      expect(await latestOutcome(ref)).toMatchObject({ providerRef: ref, state: 'cleared' });
      expect(await under.taken()).toEqual([{ reference: order.reference, amount: 435 }]);
    });

    test('the same order again is the same debit', async () => {
      const order = await aDebit();
      const ref = await refOf(order);
      expect(await refOf(order)).toBe(ref);
      expect(await takenTimes(order)).toBe(1);
    });

    test('two orders of the same amount from the same account are two debits', async () => {
      const mandateRef = await aMandate();
      const orders = [await aDebit(cents(100), mandateRef), await aDebit(cents(100), mandateRef)];
      const answers = await directDebit.submitDebits(orders);
      expect(new Set(answers.map((answer) => 'providerRef' in answer && answer.providerRef)).size).toBe(2);
      expect(await under.taken()).toHaveLength(2);
    });

    test('an order is found by its reference once it was taken, debits and payouts apart', async () => {
      const debit = await aDebit();
      const payout = aPayout();
      expect(await directDebit.findDebit(debit)).toBeUndefined();
      const ref = await refOf(debit);
      const [answer] = await directDebit.submitPayouts([payout]);
      expect(await directDebit.findDebit(debit)).toBe(ref);
      expect(answer).toEqual({ id: payout.id, result: 'accepted', providerRef: await directDebit.findPayout(payout) });
      expect(await directDebit.findPayout({ ...payout, reference: debit.reference })).toBeUndefined();
      expect(await directDebit.findDebit({ ...debit, reference: debit.reference.slice(0, -1) })).toBeUndefined();
    });

    test('no answer and nothing taken: unknown, not found, and taken once when it is sent again', async () => {
      const order = await aDebit();
      await under.timeOut('before effect');
      expect(await directDebit.submitDebits([order])).toMatchObject([{ id: order.id, result: 'unknown' }]);
      expect(await directDebit.findDebit(order)).toBeUndefined();
      expect(await refOf(order)).toBe(await directDebit.findDebit(order));
      expect(await takenTimes(order)).toBe(1);
    });

    test('no answer but taken: unknown, found, and not taken twice when it is sent again', async () => {
      const order = await aDebit();
      await under.timeOut('after effect');
      expect(await directDebit.submitDebits([order])).toMatchObject([{ id: order.id, result: 'unknown' }]);
      const ref = await directDebit.findDebit(order);
      expect(ref).toBeDefined();
      expect(await refOf(order)).toBe(ref);
      expect(await takenTimes(order)).toBe(1);
    });

    test('a payout whose answer was lost is found, and not paid twice when it is sent again', async () => {
      const order = aPayout();
      await under.timeOut('after effect');
      expect(await directDebit.submitPayouts([order])).toMatchObject([{ id: order.id, result: 'unknown' }]);
      const ref = await directDebit.findPayout(order);
      expect(ref).toBeDefined();
      expect(await directDebit.submitPayouts([order])).toEqual([
        { id: order.id, result: 'accepted', providerRef: ref },
      ]);
      expect(await takenTimes(order)).toBe(1);
    });

    test('a debit above the ceiling is refused and nothing is taken', async () => {
      const order = await aDebit(cents(25_001));
      expect(await directDebit.submitDebits([order])).toMatchObject([{ id: order.id, result: 'refused' }]);
      expect(await under.taken()).toEqual([]);
    });

    test('a cancelled mandate takes no more debits, and cancelling again does no harm', async () => {
      const mandateRef = await aMandate();
      await directDebit.cancelMandate(mandateRef);
      await directDebit.cancelMandate(mandateRef);
      expect(await directDebit.submitDebits([await aDebit(cents(1), mandateRef)])).toMatchObject([
        { result: 'refused' },
      ]);
      expect(await under.taken()).toEqual([]);
    });

    test.each([1, 2, 3, 4, 5, 6, 8, 9] as const)('a debit returned with code %i says so', async (code) => {
      await under.returnNext('debit', code);
      const ref = await refOf(await aDebit());
      await under.settle();
      const outcome = await latestOutcome(ref);
      expect(outcome).toMatchObject({ state: 'returned', code });
      expect(outcome).toHaveProperty('reason', expect.stringMatching(/.{4}/));
    });

    test('a debit may come back after it has cleared', async () => {
      const ref = await refOf(await aDebit());
      await under.settle();
      await under.returnLate(ref, 2);
      expect(await latestOutcome(ref)).toMatchObject({ state: 'returned', code: 2 });
    });

    test('a payout clears, or comes back with its code', async () => {
      await under.returnNext('payout', 5);
      const answers = await directDebit.submitPayouts([aPayout(), { ...aPayout(), email: 'other@example.com' }]);
      await under.settle();
      const outcomes = await listOf(directDebit.outcomesSince(new Date(0)));
      const states = answers.map((answer) => {
        const ref = 'providerRef' in answer ? answer.providerRef : '';
        return outcomes.filter((each) => each.providerRef === ref);
      });
      expect(states).toMatchObject([[{ state: 'returned', code: 5 }], [{ state: 'cleared' }]]);
    });

    test('only what changed since then is listed', async () => {
      const ref = await refOf(await aDebit());
      await under.settle();
      const later = new Date(under.now().getTime() + 1_000);
      expect(await latestOutcome(ref, later)).toBeUndefined();
    });

    test('a hundred and twenty orders are all taken, listed once each and add up', async () => {
      const mandateRef = await aMandate();
      const orders = await Promise.all(Array.from({ length: 120 }, (_, index) => aDebit(cents(index + 1), mandateRef)));
      const answers = await directDebit.submitDebits(orders);
      expect(answers.filter(({ result }) => result === 'accepted')).toHaveLength(120);
      const payments = await listOf(directDebit.listPayments(new Date(under.now().getTime() - 60_000)));
      expect(payments.map(({ reference }) => reference).toSorted()).toEqual(orders.map(({ reference }) => reference));
      expect(payments.reduce((sum, { amount }) => sum + amount, 0)).toBe((120 * 121) / 2);
    }, 30_000);

    test('a notification is believed when it is genuine and recent; where none are sent, none is', async () => {
      if (!under.latestNotification) {
        expect(directDebit.parseNotification('{}', {}, under.now())).toBeUndefined();
        return;
      }
      const ref = await refOf(await aDebit());
      await under.settle();
      const { rawBody, headers } = await under.latestNotification();
      const notification = directDebit.parseNotification(rawBody, headers, under.now());
      expect(notification?.outcomes).toMatchObject([{ providerRef: ref, state: 'cleared' }]);
      expect(notification?.outcomes[0]?.at).toBeInstanceOf(Date);
      expect(directDebit.parseNotification(rawBody, headers, under.now())?.id).toBe(notification?.id);
      const later = new Date(under.now().getTime() + 301_000);
      expect(directDebit.parseNotification(rawBody, headers, later)).toBeUndefined();
      expect(directDebit.parseNotification(`${rawBody} `, headers, under.now())).toBeUndefined();
      expect(directDebit.parseNotification(rawBody, {}, under.now())).toBeUndefined();
    });

    test('a provider that does not answer is unavailable, and a submission to it unknown', async () => {
      const order = await aDebit();
      await under.breakDown();
      await expect(aMandate()).rejects.toThrow(ProviderUnavailable);
      await expect(directDebit.findDebit(order)).rejects.toThrow(ProviderUnavailable);
      await expect(listOf(directDebit.outcomesSince(new Date(0)))).rejects.toThrow(ProviderUnavailable);
      expect(await directDebit.submitDebits([order])).toMatchObject([{ id: order.id, result: 'unknown' }]);
    });
  });
}
