import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { describeBankLink } from '../../ports/bank-link.suite.ts';
import { basiqOnSandbox } from '../testing/basiq-on-sandbox.ts';

describeBankLink('Basiq, played by the sandbox', () => basiqOnSandbox());

const joan = { email: 'joan@example.com', mobile: '0412345678', firstName: 'Joan', lastName: 'Smith' };

test('two years of transactions come over many pages, complete', async () => {
  const under = await basiqOnSandbox();
  const id = await under.bankLink.createCustomer(joan);
  await under.connect(id);
  const all = await under.bankLink.transactionsSince(id, isoDate('2024-11-18'));
  expect(all.length).toBeGreaterThan(1_000);
  const recent = await under.bankLink.transactionsSince(id, isoDate('2026-11-01'));
  expect(all.filter(({ day }) => day >= '2026-11-01')).toEqual(recent);
  await under.close();
});

test('a token that has expired is replaced without anybody noticing', async () => {
  const under = await basiqOnSandbox();
  // The adapter's own clock does not see the hour go by.
  const id = await under.bankLink.createCustomer(joan);
  await under.pass(3_600_000);
  expect(await under.bankLink.listConsents(id)).toEqual([]);
  await under.close();
});

test.each([
  ['90000001', 'failed'],
  ['90000002', 'pending'],
  ['90000003', 'done'],
])('the customer %s has a job that is %s', async (crn, state) => {
  const under = await basiqOnSandbox([crn]);
  const id = await under.bankLink.createCustomer(joan);
  const jobId = await under.connect(id);
  expect(await under.bankLink.jobState(id, jobId)).toBe(state);
  await under.close();
});

test.each([
  ['fast', 4, 'done'],
  ['slow', 12, 'pending'],
  ['slow', 16, 'done'],
  ['stuck', 26, 'pending'],
])('a bank that is %s has after %i s a job that is %s', async (takes, seconds, state) => {
  const under = await basiqOnSandbox();
  const userId = await under.bankLink.createCustomer(joan);
  await under.control('/jobs', { userId, takes });
  const { jobId } = await under.control('/connections', { userId, crn: '12345678' });
  await under.pass(seconds * 1_000);
  expect(await under.bankLink.jobState(userId, jobId)).toBe(state);
  await under.close();
});

test.each([
  ['verify-credentials', 'authorization-failed', 'failed'],
  ['retrieve-accounts', 'service-unavailable', 'failed'],
  // The accounts are there; transactions come with a later refresh.
  ['retrieve-transactions', 'job-timed-out', 'done'],
])('a job whose step %s fails with %s is %s', async (fails, code, state) => {
  const under = await basiqOnSandbox();
  const userId = await under.bankLink.createCustomer(joan);
  await under.control('/jobs', { userId, fails, code });
  const jobId = await under.connect(userId);
  expect(await under.bankLink.jobState(userId, jobId)).toBe(state);
  await under.close();
});

test('an account that is closed is gone, and one of an authorisation that ended is there and not available', async () => {
  const under = await basiqOnSandbox();
  const userId = await under.bankLink.createCustomer(joan);
  await under.connect(userId);
  const [everyday, ...others] = await under.bankLink.listAccounts(userId);
  await under.control('/accounts/gone', { userId, accountId: everyday?.id });
  expect(await under.bankLink.listAccounts(userId)).toEqual(others);
  expect(others.every(({ isAvailable }) => isAvailable)).toBe(true);
  await under.control('/connections/invalid', { userId });
  const after = await under.bankLink.listAccounts(userId);
  expect(after).toEqual(others.map((account) => ({ ...account, isAvailable: false })));
  expect((await under.bankLink.listConsents(userId)).map((consent) => consent.state)).toEqual(['active']);
  await under.close();
});

test('asked all day, the adapter never meets the limit of refreshes', async () => {
  const asked: string[] = [];
  const watching: typeof fetch = (input, init) => {
    asked.push(`${init?.method} ${new URL(String(input)).pathname}`);
    return fetch(input, init);
  };
  const under = await basiqOnSandbox(undefined, watching);
  const id = await under.bankLink.createCustomer(joan);
  await under.connect(id);
  const hourly = under.bankLinkWith({ refreshAfterMs: 20 * 3_600_000 });
  for (let hour = 0; hour < 60; hour += 1) {
    await hourly.refresh(id);
    await under.pass(3_600_000);
  }
  const refreshes = asked.filter((each) => each.startsWith('POST') && each.endsWith('/refresh')).length;
  expect(refreshes).toBeGreaterThan(0);
  expect(refreshes).toBeLessThanOrEqual(2);
  await under.close();
});
