import { cents, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { describeDirectDebit } from '../../ports/direct-debit.suite.ts';
import { payerEmail, zeptoOnSandbox } from '../testing/zepto-on-sandbox.ts';

describeDirectDebit('Zepto, played by the sandbox', zeptoOnSandbox);

const joan = { name: 'Joan Smith', email: payerEmail, bsb: '062000', accountNumber: '12345678' };
const anOrder = (id: string, mandateRef: string) => ({
  id,
  mandateRef,
  amount: cents(435),
  remitter: 'SPARECHANGE',
  reference: `REF${id.toUpperCase()}`,
  dueOn: isoDate('2026-11-18'),
});

test('an answer lost once is recovered immediately: the repeated call names what the first one made', async () => {
  const under = await zeptoOnSandbox();
  const order = anOrder('once', await under.directDebit.createMandate({ id: 'm', ...joan, ceiling: cents(25_000) }));
  const fault = { path: '/zepto/payment_requests', timeoutAfterEffect: true, holdMs: 5, count: 1 };
  await under.control('POST', '/faults', fault);
  expect(await under.directDebit.submitDebits([order])).toMatchObject([{ result: 'accepted' }]);
  expect(await under.taken()).toHaveLength(1);
  await under.close();
});

test('a mandate whose answer was lost is returned when asked for again', async () => {
  const under = await zeptoOnSandbox();
  const request = { id: 'mandate-1', ...joan, ceiling: cents(25_000) };
  const fault = { path: '/zepto/agreements', method: 'POST', timeoutAfterEffect: true, holdMs: 5, count: 1 };
  await under.control('POST', '/faults', fault);
  await expect(under.directDebit.createMandate(request)).rejects.toThrow(/not reached/);
  const mandateRef = await under.directDebit.createMandate(request);
  expect(await under.directDebit.createMandate(request)).toBe(mandateRef);
  await under.close();
});

test('an order is found months later, when its key is long forgotten', async () => {
  const under = await zeptoOnSandbox();
  const order = anOrder('old', await under.directDebit.createMandate({ id: 'm', ...joan, ceiling: cents(25_000) }));
  const [answer] = await under.directDebit.submitDebits([order]);
  await under.pass(200 * 86_400_000);
  expect(answer).toMatchObject({ providerRef: await under.directDebit.findDebit(order) });
  await under.close();
});

test('an order that was due yesterday is due now', async () => {
  const under = await zeptoOnSandbox();
  const payout = { id: 'p', ...joan, amount: cents(100), reference: 'SAV1', dueOn: isoDate('2026-11-16') };
  expect(await under.directDebit.submitPayouts([payout])).toMatchObject([{ result: 'accepted' }]);
  await under.close();
});

test('a savings account number too long for the banks is refused with a reason that does not repeat it', async () => {
  const under = await zeptoOnSandbox();
  const payout = { id: 'p', ...joan, accountNumber: '123456789012', amount: cents(100), reference: 'SAV1' };
  const [answer] = await under.directDebit.submitPayouts([{ ...payout, dueOn: isoDate('2026-11-18') }]);
  expect(answer).toMatchObject({ result: 'refused', reason: expect.stringContaining('422') });
  expect(JSON.stringify(answer)).not.toContain('123456789012');
  await under.close();
});
