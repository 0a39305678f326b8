import * as contract from '@sparechange/contract';
import { expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import type { TestSupporter } from '#testing/makers.ts';
import { aPastDebit } from '#testing/past-debit.ts';

const api = ownApp();

const values = { accountName: 'Holiday', bsb: '062000', accountNumber: '12345678' };
const link = ({ supporterId: cdrid, uid }: TestSupporter, changes: Partial<typeof values> = {}) =>
  api.call(contract.submitSavingsAccount, { cdrid, values: { ...values, ...changes } }, { uid });
const linked = async ({ supporterId, uid }: TestSupporter) =>
  (await api.call(contract.retrieveLinkedSavings, { userId: supporterId }, { uid })).body.savingsAccount.document;

test('before an account is linked there is none', async () => {
  expect(await linked(await api.supporter())).toBeNull();
});

test('a linked account is shown by its name and the last four digits', async () => {
  const supporter = await api.supporter();
  expect(await link(supporter)).toMatchObject({ status: 200, body: {} });
  expect(await linked(supporter)).toEqual({
    accountName: 'Holiday',
    accountNumber: 'XXXX5678',
    receivesFrom: null,
    problem: null,
  });
});

test('linking another one replaces it', async () => {
  const supporter = await api.supporter();
  await link(supporter);
  await link(supporter, { accountName: 'House', accountNumber: '123456789012' });
  expect(await linked(supporter)).toEqual({
    accountName: 'House',
    accountNumber: 'XXXXXXXX9012',
    receivesFrom: '2026-11-27',
    problem: 'number_too_long',
  });
});

test('the same account sent again, for instance after a lost answer, replaces nothing and causes no wait', async () => {
  const supporter = await api.supporter();
  for (const _press of [1, 2]) expect(await link(supporter)).toMatchObject({ status: 200, body: {} });
  expect(await linked(supporter)).toMatchObject({ accountNumber: 'XXXX5678', receivesFrom: null });
  const mails = await api.rows`
    select facts ->> 'receivesFrom' as day from mails
    where supporter_id = ${supporter.supporterId} and facts ->> 'kind' = 'savings_account_changed'`;
  expect([...mails]).toEqual([{ day: null }]);
});

test('a refused account sent again is tried again', async () => {
  const supporter = await api.supporter();
  await link(supporter);
  await api.rows`update savings_accounts set refused_at = now() where supporter_id = ${supporter.supporterId}`;
  await link(supporter);
  expect(await linked(supporter)).toMatchObject({ receivesFrom: '2026-11-27', problem: null });
});

test('the number is nowhere in the database in plain', async () => {
  const supporter = await api.supporter();
  await link(supporter, { accountNumber: '98765432' });
  const [row] = await api.rows`
    select savings_accounts::text as account, (select string_agg(audit_log::text, '') from audit_log
      where audit_log.supporter_id = savings_accounts.supporter_id) as audit
    from savings_accounts where supporter_id = ${supporter.supporterId}`;
  for (const text of Object.values(row ?? {})) {
    expect(text).not.toContain('98765432');
    expect(text).not.toContain(Buffer.from('98765432').toString('hex'));
  }
});

test.each([
  [{ accountName: '' }, 'values.accountName', 'Account name is required'],
  [{ bsb: '' }, 'values.bsb', 'BSB is required'],
  [{ bsb: '06200' }, 'values.bsb', 'BSB must be 6 numbers'],
  [{ accountNumber: '' }, 'values.accountNumber', 'Account number is required'],
  [{ accountNumber: '1234567' }, 'values.accountNumber', 'Account number must be 8-12 numbers'],
])('%j is refused with the words of the form', async (changes, field, message) => {
  const answer = await link(await api.supporter(), changes);
  expect([answer.status, answer.body.error.fields]).toEqual([400, { [field]: message }]);
});

test.each([true, false])('switching savings to %s is saved, answered and audited', async (savingsAccountEnabled) => {
  const { supporterId: cdrid, uid } = await api.supporter();
  const answer = await api.call(contract.setSavingsAccount, { cdrid, savingsAccountEnabled }, { uid });
  expect(answer.body.userRecord.document.savingsAccountEnabled).toBe(savingsAccountEnabled);
  const [note] = await api.rows`select action, details from audit_log where supporter_id = ${cdrid}`;
  expect(note).toEqual({ action: 'switched savings', details: { on: savingsAccountEnabled } });
});

const split = async ({ supporterId: cdrid, uid }: TestSupporter) =>
  (await api.call(contract.retrieveSavingsSplit, { cdrid }, { uid })).body;

test("this year's debits are divided into the club's part and the savings part, without reversals", async () => {
  const supporter = await api.supporter();
  for (const past of [
    { day: '2025-12-31', amount: 1000, savings: 500 },
    { day: '2026-11-02', amount: 431, savings: 215 },
    { day: '2026-11-04', amount: 600, savings: 300, reversedOn: '2026-11-10' },
    { day: '2026-11-06', amount: 250, kind: 'donation' as const },
  ]) {
    await aPastDebit(api.db, supporter, past);
  }
  expect(await split(supporter)).toEqual({
    clubCents: 216 + 250,
    savingsCents: 215,
    nextDeposit: null,
    waitingCents: null,
  });
  await link(supporter);
  expect((await split(supporter)).nextDeposit).toEqual({ date: '2026-12-01', amountCents: 715 });
});

test("an amount repaid by an operator was neither given nor saved, like the year's total", async () => {
  const supporter = await api.supporter();
  const debit = await aPastDebit(api.db, supporter, { day: '2026-11-02', amount: 431, savings: 215 });
  await api.rows`
    insert into repayments (supporter_id, debit_id, request_id, amount_cents, savings_cents, reason, reference, planned_at, state)
    values (${supporter.supporterId}, ${debit}, 'part', 100, 49, 'a mistake', 'RF1', now(), 'cleared'),
      (${supporter.supporterId}, ${debit}, 'failed', 31, 15, 'a mistake', 'RF2', now(), 'returned')`;
  const { supporterId: cdrid, uid } = supporter;
  const { debitYTD } = (await api.call(contract.debitsYTD, { cdrid }, { uid })).body;
  expect(await split(supporter)).toMatchObject({ clubCents: 216 - 51, savingsCents: 215 - 49 });
  expect(debitYTD).toBe(216 - 51);
});

test('an account that cannot receive is promised no deposit; its half waits for another one', async () => {
  const supporter = await api.supporter();
  await link(supporter, { accountNumber: '1234567890' });
  await aPastDebit(api.db, supporter, { day: '2026-11-02', amount: 400, savings: 200 });
  expect(await split(supporter)).toMatchObject({ nextDeposit: null, waitingCents: 200 });
  await link(supporter);
  expect(await split(supporter)).toMatchObject({ nextDeposit: { amountCents: 200 }, waitingCents: null });
});

test('an amount cleared after the month of the next deposit goes with the following one', async () => {
  const supporter = await api.supporter();
  await link(supporter);
  await aPastDebit(api.db, supporter, { day: '2026-12-30', amount: 400, savings: 200 });
  await aPastDebit(api.db, supporter, { day: '2027-01-01', amount: 100, savings: 50 });
  api.clock.setTo('2027-01-02T00:00:00Z'); // a Saturday; the first banking day is the 4th
  expect((await split(supporter)).nextDeposit).toEqual({ date: '2027-01-04', amountCents: 200 });
  api.clock.setTo('2027-01-04T00:00:00Z');
  expect((await split(supporter)).nextDeposit).toEqual({ date: '2027-02-01', amountCents: 250 });
});
