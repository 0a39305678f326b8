import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { describeBankLink } from '../ports/bank-link.suite.ts';
import { fakeBankLink } from './fake-bank-link.ts';

const now = () => new Date('2026-11-18T01:00:00Z');
const firstDay = isoDate('2026-11-01');

describeBankLink('the bank link in memory', async () => {
  let time = now();
  const bankLink = fakeBankLink({ now: () => time });
  return {
    bankLink,
    now: () => time,
    connect: async (customerId) => bankLink.connect(customerId),
    addPurchase: async (customerId, purchase) => void bankLink.addTransaction(customerId, purchase),
    endConsent: async (customerId, as) => bankLink.endConsent(customerId, as),
    fallSilent: async (customerId) => {
      bankLink.setSilent(customerId, true);
      time = new Date(time.getTime() + 3_600_000);
    },
    notificationOf: async (customerId) => bankLink.notificationOf(customerId, 'transactions.updated'),
    breakDown: async () => bankLink.setUnreachable(true),
    close: async () => undefined,
  };
});

test('a re-issued transaction has a new id and nothing else', async () => {
  const bankLink = fakeBankLink({ now });
  const id = await bankLink.createCustomer({ email: 'a@b.test', mobile: '0400000000', firstName: 'A', lastName: 'B' });
  bankLink.connect(id);
  const before = bankLink.addTransaction(id);
  const [first] = await bankLink.transactionsSince(id, firstDay);
  const after = bankLink.reissue(id, before);
  expect(after).not.toBe(before);
  expect(await bankLink.transactionsSince(id, firstDay)).toEqual([{ ...first, id: after }]);
});
