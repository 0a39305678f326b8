import { setTimeout as sleep } from 'node:timers/promises';
import { cents, isoDate } from '@sparechange/domain';
import type { BankLink } from '@sparechange/server/ports/bank-link.ts';
import type { DebitOrder, DirectDebit } from '@sparechange/server/ports/direct-debit.ts';

const notAsked = () => Promise.reject(new Error('The bench does not ask for this.'));

/** Makes a bank link that answers after `latencyMs`, each supporter with five new purchases a `round`. */
export function slowBankLink(latencyMs: number, round: string, now: Date): BankLink {
  const later = <Result>(result: Result) => sleep(latencyMs, result);
  const endsAt = new Date('2027-03-01T00:00:00Z');
  return {
    createCustomer: notAsked,
    consentLink: notAsked,
    listConsents: () => later([{ id: 'consent', state: 'active', givenAt: now, expiresAt: endsAt }]),
    connectionsOf: () => later([{ hasEnded: false, endsAt, dataAt: undefined }]),
    findNewestJob: notAsked,
    jobState: notAsked,
    connectionOfJob: notAsked,
    listAccounts: () => later([]),
    balanceOf: notAsked,
    transactionsSince: (customerId) =>
      later(
        [1, 2, 3, 4, 5].map((place) => ({
          id: `${customerId} ${round} ${place}`,
          accountId: `account-${customerId.slice('customer-'.length)}-1`,
          status: 'posted' as const,
          direction: 'debit' as const,
          kind: 'payment',
          currency: 'AUD',
          amount: cents(435 + place),
          description: `CORNER CAFE ${round}`,
          isBillPayment: false,
          day: isoDate('2026-11-24'),
        })),
      ),
    refresh: () => later(undefined),
    revokeConsent: notAsked,
    parseNotification: () => undefined,
    customerOfEvent: notAsked,
  };
}

/** Orders of a batch submitted concurrently, as with Zepto. */
const ordersAtOnce = 32;

/** Makes a direct-debit provider that takes `latencyMs` for each order and accepts several concurrently. */
export function slowDirectDebit(latencyMs: number, onBatch: (orders: DebitOrder[]) => void = () => {}): DirectDebit {
  return {
    createMandate: notAsked,
    findMandate: notAsked,
    cancelMandate: notAsked,
    submitDebits: async (orders) => {
      onBatch(orders);
      if (latencyMs > 0) await sleep(latencyMs * Math.ceil(orders.length / ordersAtOnce));
      return orders.map(({ id }) => ({ id, result: 'accepted' as const, providerRef: `PR.${id}` }));
    },
    submitPayouts: notAsked,
    findDebit: notAsked,
    findPayout: notAsked,
    async *outcomesSince() {},
    outcomesOf: notAsked,
    async *listPayments() {},
    accounts: async () => [],
    async *endedMandates() {},
    isMandateInEffect: notAsked,
    parseNotification: () => undefined,
  };
}
