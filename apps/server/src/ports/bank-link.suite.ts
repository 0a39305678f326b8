import { addDays, type Cents, cents, type IsoDate, sydneyDay } from '@sparechange/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BankLink, NewCustomer } from './bank-link.ts';
import { ProviderUnavailable } from './errors.ts';

export interface Delivered {
  rawBody: string;
  headers: Record<string, string | undefined>;
}

/** A bank link with control over its customers and banks. */
export interface BankLinkUnderTest {
  bankLink: BankLink;
  now(): Date;
  /** Connects every account with consent; returns the answered job. */
  connect(customerId: string): Promise<string>;
  addPurchase(
    customerId: string,
    purchase: { amount: Cents; description: string; day: IsoDate; status?: 'posted' | 'pending' },
  ): Promise<void>;
  endConsent(customerId: string, as: 'revoked' | 'expired'): Promise<void>;
  /** The bank stops answering despite the consent; an hour passes. */
  fallSilent(customerId: string): Promise<void>;
  /** A notification that the customer's transactions have changed. */
  notificationOf(customerId: string): Promise<Delivered>;
  /** From now on the provider does not answer. */
  breakDown(): Promise<void>;
  close(): Promise<void>;
}

const joan: NewCustomer = { email: 'joan@example.com', mobile: '0412345678', firstName: 'Joan', lastName: 'Nguyễn' };

/** Describes every bank link, the fake and the real ones. */
export function describeBankLink(name: string, make: () => Promise<BankLinkUnderTest>): void {
  describe(name, () => {
    let under: BankLinkUnderTest;
    let bankLink: BankLink;
    beforeEach(async () => {
      under = await make();
      bankLink = under.bankLink;
    });
    afterEach(() => under.close());

    const aConnectedCustomer = async () => {
      const id = await bankLink.createCustomer(joan);
      return { id, jobId: await under.connect(id) };
    };
    const today = () => sydneyDay(under.now());
    const named = async (customerId: string, since: IsoDate, description: string) =>
      (await bankLink.transactionsSince(customerId, since)).filter((each) => each.description === description);

    test('a new customer has consented to nothing and has nothing', async () => {
      const id = await bankLink.createCustomer(joan);
      expect(await bankLink.listConsents(id)).toEqual([]);
      expect(await bankLink.findNewestJob(id)).toBeUndefined();
      expect(await bankLink.listAccounts(id)).toEqual([]);
      expect(await bankLink.transactionsSince(id, today())).toEqual([]);
    });

    test('the same person twice is two customers', async () => {
      expect(await bankLink.createCustomer(joan)).not.toBe(await bankLink.createCustomer(joan));
    });

    test.each(['first consent', 'connect', 'manage', 'extend', 'reauthorise'] as const)(
      'a link to %s brings its state along',
      async (purpose) => {
        const id = await bankLink.createCustomer(joan);
        const link = await bankLink.consentLink(id, purpose, 'tenant-a & more');
        expect(link.searchParams.get('state')).toBe('tenant-a & more');
      },
    );

    test('a customer who has consented has a consent, a finished job and accounts that can be debited', async () => {
      const { id, jobId } = await aConnectedCustomer();
      const [consent, ...others] = await bankLink.listConsents(id);
      expect(others).toEqual([]);
      expect(consent?.state).toBe('active');
      expect(Math.abs((consent?.givenAt.getTime() ?? 0) - under.now().getTime())).toBeLessThan(60_000);
      expect(consent?.expiresAt.getTime()).toBeGreaterThan(under.now().getTime() + 300 * 86_400_000);
      expect(await bankLink.findNewestJob(id)).toBe(jobId);
      expect(await bankLink.jobState(id, jobId)).toBe('done');
      const account = (await bankLink.listAccounts(id)).find(({ kind }) => kind === 'transaction');
      expect(account).toMatchObject({ currency: 'AUD', isAvailable: true });
      expect(account?.bsb).toMatch(/^\d{6}$/);
      expect(account?.accountNumber).toMatch(/^\d{5,9}$/);
    });

    test('a balance is given of an account of the customer, of no other, and not after the consent', async () => {
      const { id } = await aConnectedCustomer();
      const [account] = await bankLink.listAccounts(id);
      expect(Number.isSafeInteger(await bankLink.balanceOf(id, account?.id ?? ''))).toBe(true);
      const other = await aConnectedCustomer();
      const [foreign] = await bankLink.listAccounts(other.id);
      expect(await bankLink.balanceOf(id, foreign?.id ?? '')).toBeUndefined();
      expect(await bankLink.balanceOf(id, 'no-such-account')).toBeUndefined();
      await under.endConsent(id, 'revoked');
      expect(await bankLink.balanceOf(id, account?.id ?? '')).toBeUndefined();
    });

    test('a job is shown to its own customer only', async () => {
      const { jobId } = await aConnectedCustomer();
      const other = await bankLink.createCustomer({ ...joan, email: 'other@example.com' });
      expect(await bankLink.jobState(other, jobId)).toBeUndefined();
      expect(await bankLink.jobState(other, 'no-such-job')).toBeUndefined();
      expect(await bankLink.jobState(other, '../../users')).toBeUndefined();
    });

    test('a purchase comes with its exact amount, on its Sydney day, on an account of the customer', async () => {
      const { id } = await aConnectedCustomer();
      const day = addDays(today(), -3);
      await under.addPurchase(id, { amount: cents(12469), description: 'KIOSK 7', day });
      const [purchase, ...others] = await named(id, day, 'KIOSK 7');
      expect(others).toEqual([]);
      expect(purchase).toMatchObject({
        status: 'posted',
        direction: 'debit',
        kind: 'payment',
        currency: 'AUD',
        amount: 12469,
        isBillPayment: false,
        day,
      });
      expect((await bankLink.listAccounts(id)).map((account) => account.id)).toContain(purchase?.accountId);
    });

    test('the day asked for is the first day seen, whole', async () => {
      const { id } = await aConnectedCustomer();
      const day = addDays(today(), -5);
      for (const offset of [-1, 0, 1]) {
        await under.addPurchase(id, { amount: cents(100), description: 'SAME SHOP', day: addDays(day, offset) });
      }
      const days = (await bankLink.transactionsSince(id, day)).map((each) => each.day);
      expect(days.every((each) => each >= day)).toBe(true);
      expect((await named(id, day, 'SAME SHOP')).map((each) => each.day)).toEqual([day, addDays(day, 1)]);
    });

    test('transactions come in the order of their days, each once, with the same ids the next time', async () => {
      const { id } = await aConnectedCustomer();
      for (const offset of [-1, -8, -4]) {
        await under.addPurchase(id, { amount: cents(435), description: 'CAFE', day: addDays(today(), offset) });
      }
      const read = async () =>
        (await bankLink.transactionsSince(id, addDays(today(), -60))).filter(({ status }) => status === 'posted');
      const first = await read();
      expect(first.map(({ day }) => day)).toEqual(first.map(({ day }) => day).toSorted());
      expect(new Set(first.map((each) => each.id)).size).toBe(first.length);
      await bankLink.refresh(id);
      expect(await read()).toEqual(first);
    });

    test('a bank permits for a time and says until when it has sent data, also when it lets itself not be asked any more', async () => {
      const { id } = await aConnectedCustomer();
      const accountIds = (await bankLink.listAccounts(id)).map((account) => account.id);
      const look = async () => {
        const [connection, ...others] = await bankLink.connectionsOf(id, accountIds);
        expect(others).toEqual([]);
        return {
          hasEnded: connection?.hasEnded,
          endsAt: connection?.endsAt,
          dataAt: connection?.dataAt?.getTime() ?? 0,
        };
      };
      const before = under.now().getTime();
      const first = await look();
      expect(first.hasEnded).toBe(false);
      expect(first.endsAt?.getTime()).toBeGreaterThan(before + 300 * 86_400_000);
      expect(Math.abs(first.dataAt - before)).toBeLessThan(60_000);
      await under.fallSilent(id);
      expect(under.now().getTime()).toBe(before + 3_600_000);
      const silent = await look();
      expect(silent.hasEnded).toBe(true);
      expect(Math.abs(silent.dataAt - before)).toBeLessThan(60_000);
      expect(await bankLink.connectionsOf(id, [])).toEqual([]);
    });

    test('pending lines are marked', async () => {
      const { id } = await aConnectedCustomer();
      await under.addPurchase(id, { amount: cents(500), description: 'NOT YET', day: today(), status: 'pending' });
      expect(await named(id, addDays(today(), -1), 'NOT YET')).toMatchObject([{ status: 'pending', amount: 500 }]);
    });

    test('withdrawing a consent ends it, and again does no harm', async () => {
      const { id } = await aConnectedCustomer();
      const [consent] = await bankLink.listConsents(id);
      await bankLink.revokeConsent(id, consent?.id ?? '');
      await bankLink.revokeConsent(id, consent?.id ?? '');
      expect((await bankLink.listConsents(id)).map(({ state }) => state)).toEqual(['revoked']);
      expect(await bankLink.listAccounts(id)).toEqual([]);
    });

    test.each(['revoked', 'expired'] as const)('a consent that was %s elsewhere says so', async (how) => {
      const { id } = await aConnectedCustomer();
      await under.endConsent(id, how);
      expect((await bankLink.listConsents(id)).map(({ state }) => state)).toEqual([how]);
    });

    test('a notification is believed when it is genuine and recent, and names an event of the customer', async () => {
      const { id } = await aConnectedCustomer();
      const { rawBody, headers } = await under.notificationOf(id);
      const notification = bankLink.parseNotification(rawBody, headers, under.now());
      expect(notification?.kind).toBe('transactions.updated');
      expect(bankLink.parseNotification(rawBody, headers, under.now())).toEqual(notification);
      expect(await bankLink.customerOfEvent(notification?.eventId ?? '')).toBe(id);
      const later = new Date(under.now().getTime() + 301_000);
      expect(bankLink.parseNotification(rawBody, headers, later)).toBeUndefined();
      expect(bankLink.parseNotification(`${rawBody} `, headers, under.now())).toBeUndefined();
      expect(bankLink.parseNotification(rawBody, {}, under.now())).toBeUndefined();
    });

    test('an event nobody knows concerns nobody', async () => {
      expect(await bankLink.customerOfEvent('00000000-0000-4000-8000-000000000000')).toBeUndefined();
    });

    test('a provider that does not answer is unavailable', async () => {
      const { id } = await aConnectedCustomer();
      await under.breakDown();
      await expect(bankLink.listAccounts(id)).rejects.toThrow(ProviderUnavailable);
      await expect(bankLink.transactionsSince(id, today())).rejects.toThrow(ProviderUnavailable);
      await expect(bankLink.createCustomer(joan)).rejects.toThrow(ProviderUnavailable);
    });
  });
}
