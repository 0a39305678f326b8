import * as contract from '@sparechange/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anAccount, type TestSupporter } from '#testing/makers.ts';

const api = ownApp();
let supporter: TestSupporter;

beforeEach(async () => {
  supporter = await api.supporter({ roundsFrom: '2026-10-01' });
  await retrieve();
});
afterEach(() => api.clock.setTo('2026-11-24T20:00:00Z'));

const retrieve = () => api.call(contract.retrieveAccounts, { cdrid: supporter.supporterId }, { uid: supporter.uid });
const atBank = () => api.bankLink.customers.find(({ id }) => id === supporter.bankCustomerId)?.accounts ?? [];
const record = async () => {
  const { uid } = supporter;
  return (await api.call(contract.getUser, { userId: uid }, { uid })).body.userRecord.document;
};
const mails = () => api.rows<{ facts: unknown }[]>`
  select facts from mails where supporter_id = ${supporter.supporterId} and key like 'account_missing %'`;
/** Removes the supporter's account from the bank's list, leaving another. */
const leaveOut = () => {
  const own = atBank().splice(0, 1);
  if (atBank().length === 0) api.bankLink.connect(supporter.bankCustomerId, [{ accountNumber: '99998888' }]);
  return () => atBank().unshift(...own);
};

test('a chosen account that the bank leaves out is emailed about once and shown until it is back', async () => {
  expect(await record()).not.toHaveProperty('missingAccounts');
  const putBack = leaveOut();
  for (const day of ['2026-11-24', '2026-11-25', '2026-11-26']) {
    api.clock.setTo(`${day}T20:00:00Z`);
    await retrieve();
  }
  expect(await mails()).toMatchObject([{ facts: { kind: 'account_missing', isDebited: true, isTracked: true } }]);
  expect(await record()).toMatchObject({
    nextDebit: null,
    whyNoAccount: 'account_missing',
    tracksNoAccount: true,
    missingAccounts: [{ isDebited: true, isTracked: true }],
  });
  putBack();
  await retrieve();
  expect(await record()).toMatchObject({ nextDebit: {} });
  expect(await record()).not.toHaveProperty('missingAccounts');
  expect(await record()).not.toHaveProperty('tracksNoAccount');
  const [{ tracked, debited } = {}] = await api.rows`
    select round_ups_on as tracked, is_funding as debited from accounts where id = ${supporter.account.id}`;
  expect([tracked, debited]).toEqual([true, true]);
  expect(await mails()).toHaveLength(1);
});

test('an account that comes and goes is emailed about at most once in thirty days', async () => {
  const goes = async (day: string) => {
    api.clock.setTo(`${day}T20:00:00Z`);
    const putBack = leaveOut();
    await retrieve();
    putBack();
    await retrieve();
  };
  for (const day of ['2026-11-24', '2026-11-25', '2026-12-20']) await goes(day);
  expect(await mails()).toHaveLength(1);
  await goes('2026-12-26');
  expect(await mails()).toHaveLength(2);
});

test('nobody is emailed about a missing account that was not chosen', async () => {
  api.bankLink.connect(supporter.bankCustomerId, [{ accountNumber: '99998888' }]);
  await retrieve();
  atBank().pop();
  await retrieve();
  expect(await mails()).toEqual([]);
  expect(await record()).not.toHaveProperty('missingAccounts');
});

test('the accounts can be chosen again without the missing one', async () => {
  const other = await anAccount(api.db, supporter, { name: 'Other' });
  await api.rows`
    update accounts set is_listed = false, missing_since = now() where id = ${supporter.account.id}`;
  const roundUpAccounts = [{ accountId: other.id, activeRoundUpsEnabled: true }];
  const { uid } = supporter;
  expect((await api.call(contract.updateRoundUpAccounts, { roundUpAccounts }, { uid })).status).toBe(200);
  expect(await record()).toMatchObject({ missingAccounts: [{ isTracked: false, isDebited: true }] });
});
