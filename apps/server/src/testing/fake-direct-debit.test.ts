import { cents, isoDate, type ReturnCode } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { describeDirectDebit } from '../ports/direct-debit.suite.ts';
import { fakeDirectDebit, SimulatedCrash } from './fake-direct-debit.ts';

const start = new Date('2026-11-18T01:00:00Z');

describeDirectDebit('the direct-debit provider in memory', async () => {
  let at = start;
  const now = () => at;
  const directDebit = fakeDirectDebit({ now });
  const armed: { kind: 'debit' | 'payout'; code: ReturnCode }[] = [];
  return {
    directDebit,
    now,
    settle: async () => {
      at = new Date(at.getTime() + 3 * 86_400_000);
      for (const { kind, code } of armed.splice(0)) {
        const payment = directDebit.taken.find((each) => each.kind === kind && each.state === 'pending');
        if (payment) directDebit.return(payment.id, code);
      }
      directDebit.clearAll();
    },
    returnNext: async (kind, code) => void armed.push({ kind, code }),
    returnLate: async (providerRef, code) => {
      const payment = directDebit.taken.find((each) => each.providerRef === providerRef);
      directDebit.return(payment?.id ?? '', code);
    },
    timeOut: async (when) => directDebit.failNext(`time-out ${when}`),
    taken: async () => directDebit.taken.map(({ reference, amount }) => ({ reference, amount })),
    latestNotification: async () => directDebit.notificationOf(directDebit.taken.at(-1)?.id ?? ''),
    breakDown: async () => directDebit.setUnreachable(true),
    close: async () => undefined,
  };
});

const payer = { id: 'm', name: 'Joan', email: 'j@b.test', bsb: '062000', accountNumber: '123456', ceiling: cents(500) };
const aDebit = (mandateRef: string) => ({
  id: 'one',
  mandateRef,
  amount: cents(100),
  remitter: 'SPARECHANGE',
  reference: 'RU1',
  dueOn: isoDate('2026-11-18'),
});

test('an order sent again blindly after a day is taken twice, as at the real provider', async () => {
  let at = start;
  const directDebit = fakeDirectDebit({ now: () => at });
  const order = aDebit(await directDebit.createMandate(payer));
  await directDebit.submitDebits([order]);
  at = new Date(at.getTime() + 86_400_000);
  await directDebit.submitDebits([order]);
  expect(directDebit.takenOf('one')).toHaveLength(2);
});

test('a crash after the effect leaves the order taken and no answer', async () => {
  const directDebit = fakeDirectDebit();
  const order = aDebit(await directDebit.createMandate(payer));
  directDebit.failNext('crash after effect');
  await expect(directDebit.submitDebits([order])).rejects.toThrow(SimulatedCrash);
  expect(directDebit.takenOf('one')).toMatchObject([{ amount: 100, state: 'pending' }]);
});
