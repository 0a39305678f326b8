import * as contract from '@sparechange/contract/console';
import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';

const resets: string[] = [];
const disabled = new Set<string>();
const api = ownApp({
  edge: { rateLimitFactor: 0 },
  mailReset: async (email, { origin }) => void resets.push(`${email} at ${origin}`),
  signIns: {
    isDisabled: async (uid) => disabled.has(uid),
    setDisabled: async (uid, isDisabled) => void (isDisabled ? disabled.add(uid) : disabled.delete(uid)),
  },
});

const elsewhere = ownApp({ edge: { rateLimitFactor: 0 }, identityService: 'Firebase' });

async function act(operation: contract.ConsoleOperation, input: object, { db, app } = api) {
  const { cookie } = await anOperator(db, { roles: ['support'] });
  const { status, body } = await callConsole(app, operation, input, { cookie });
  return { status, body, message: body.error?.message };
}
const kindsMailed = async (supporterId: string) =>
  (
    await api.rows<{ kind: string }[]>`
      select facts ->> 'kind' as kind from mails where supporter_id = ${supporterId} order by queued_at, id`
  ).map(({ kind }) => kind);
const noted = async (supporterId: string) =>
  (
    await api.rows<{ entry: string }[]>`
      select actor || ' ' || action as entry from audit_log where supporter_id = ${supporterId} order by at, id`
  ).map(({ entry }) => entry);

test('support pauses and resumes round-ups, and the audit log records an operator', async () => {
  const { supporterId } = await api.supporter();
  expect((await act(contract.pauseSupporter, { supporterId, until: '2020-01-01' })).status).toBe(400);
  expect((await act(contract.pauseSupporter, { supporterId })).status).toBe(200);
  expect((await act(contract.resumeSupporter, { supporterId })).status).toBe(200);
  expect(await kindsMailed(supporterId)).toEqual(['paused_by_you']);
  const entries = await noted(supporterId);
  expect(entries).toContain('operator paused round-ups');
  expect(entries).toContain('operator resumed round-ups');
});

test('where another service keeps the sign-ins, support is sent there by its name', async () => {
  const { supporterId } = await elsewhere.supporter();
  expect(await act(contract.sendPasswordReset, { supporterId }, elsewhere)).toMatchObject({
    status: 409,
    message: 'Passwords are kept by Firebase. Ask them to choose “Forgot password?”.',
  });
  expect(await act(contract.disableSignIn, { supporterId, reason: 'stolen' }, elsewhere)).toMatchObject({
    status: 409,
    message: 'Sign-ins are kept by Firebase. Please use its console.',
  });
});

test('an operator holds a supporter’s debits with a reason, and releases them', async () => {
  const { supporterId } = await api.supporter();
  const held = () => api.rows`select from debit_holds where supporter_id = ${supporterId} and released_at is null`;
  expect((await act(contract.holdSupporter, { supporterId, reason: ' ' })).status).toBe(400);
  expect((await act(contract.holdSupporter, { supporterId, reason: 'disputed' })).status).toBe(200);
  expect(await held()).toHaveLength(1);
  expect((await act(contract.releaseSupporter, { supporterId, reason: 'settled' })).status).toBe(200);
  expect(await held()).toHaveLength(0);
});

test("a reset goes to the supporter's address, at their tenant, once in ten minutes", async () => {
  const { supporterId, email } = await api.supporter();
  expect((await act(contract.sendPasswordReset, { supporterId })).status).toBe(200);
  expect((await act(contract.sendPasswordReset, { supporterId })).status).toBe(409);
  expect(resets).toEqual([`${email} at https://sparechange.example`]);
});

test('a link to export their data is emailed to the supporter, once a day', async () => {
  const { supporterId } = await api.supporter();
  expect((await act(contract.offerExport, { supporterId })).status).toBe(200);
  expect((await act(contract.offerExport, { supporterId })).status).toBe(409);
  expect(await kindsMailed(supporterId)).toEqual(['data_offered']);
});

test('an abused sign-in is disabled with passkey and reason, shown as such, and enabled again', async () => {
  const { supporterId, uid } = await api.supporter();
  const { id, cookie } = await anOperator(api.db, { roles: ['support'] });
  const shown = async () =>
    (await callConsole(api.app, contract.retrieveSupporter, { supporterId }, { cookie })).body.isSignInDisabled;
  expect(await shown()).toBe(false);
  await api.db`update operator_sessions set confirmed_at = now() - interval '6 minutes' where operator_id = ${id}`;
  const unconfirmed = await callConsole(api.app, contract.disableSignIn, { supporterId, reason: 'abused' }, { cookie });
  expect([unconfirmed.status, unconfirmed.body.error.code]).toEqual([403, 'requires-recent-login']);
  expect((await act(contract.disableSignIn, { supporterId, reason: ' ' })).status).toBe(400);
  expect((await act(contract.disableSignIn, { supporterId, reason: 'abused' })).status).toBe(200);
  expect([await shown(), disabled.has(uid)]).toEqual([true, true]);
  expect((await act(contract.enableSignIn, { supporterId, reason: 'settled' })).status).toBe(200);
  expect(await shown()).toBe(false);
  expect(await noted(supporterId)).toEqual(
    expect.arrayContaining(['operator disabled the sign-in', 'operator enabled the sign-in']),
  );
});

test('a sign-in is disabled, and a reset emailed, with an entry in the log or not at all', async () => {
  const { supporterId, uid } = await api.supporter();
  const bucket = api.db.of(supporterId);
  const mailed = resets.length;
  await bucket.unsafe(
    "alter table audit_log add constraint is_down check (action not in ('disabled the sign-in', 'mailed a link to reset the password')) not valid",
  );
  expect((await act(contract.disableSignIn, { supporterId, reason: 'abused' })).status).toBe(500);
  expect((await act(contract.sendPasswordReset, { supporterId })).status).toBe(500);
  await bucket.unsafe('alter table audit_log drop constraint is_down');
  expect([disabled.has(uid), resets.length]).toEqual([false, mailed]);
});

const accountsOf = (supporterId: string) => api.rows`select from accounts where supporter_id = ${supporterId}`;

test('the bank data is deleted on request, the account stays, and the supporter is emailed', async () => {
  const { supporterId } = await api.supporter();
  const { body } = await act(contract.deleteBankData, { supporterId });
  expect(body).toEqual({ isDeleted: true });
  expect(await accountsOf(supporterId)).toHaveLength(0);
  const [consents] = await api.rows`
    select consent_active as "isActive", consent_end as "end", closed_on as "closedOn" from supporters
    where supporter_id = ${supporterId}`;
  expect(consents).toEqual({ isActive: false, end: 'withdrawn', closedOn: null });
  expect(await kindsMailed(supporterId)).toContain('bank_data_deleted');
  expect(await noted(supporterId)).toContain('operator deleted bank data');
  expect((await act(contract.deleteBankData, { supporterId })).body).toEqual({ isDeleted: true });
});

test('data of a debit under way is left to the daily run, and an unresponsive provider delays no deletion', async () => {
  const { supporterId } = await api.supporter();
  const gift = { amount: cents(100), requestId: 'under way' };
  await requestDonation(api.db.of(supporterId), api.clock, api.tenants, supporterId, gift);
  await submitDebits(api);
  expect((await act(contract.deleteBankData, { supporterId })).body).toEqual({ isDeleted: false });
  expect(await accountsOf(supporterId)).not.toHaveLength(0);
  const other = await api.supporter();
  api.directDebit.setUnreachable(true);
  const { body } = await act(contract.deleteBankData, { supporterId: other.supporterId });
  api.directDebit.setUnreachable(false);
  expect(body).toEqual({ isDeleted: true });
  expect((await act(contract.deleteBankData, { supporterId: other.supporterId })).body).toEqual({ isDeleted: true });
});

test('closing needs a recent confirmation, closes the account, and every later act is refused', async () => {
  const { supporterId } = await api.supporter();
  const { id, cookie } = await anOperator(api.db, { roles: ['support'] });
  await api.db`update operator_sessions set confirmed_at = now() - interval '6 minutes' where operator_id = ${id}`;
  const unconfirmed = await callConsole(api.app, contract.closeSupporter, { supporterId }, { cookie });
  expect([unconfirmed.status, unconfirmed.body.error.code]).toEqual([403, 'requires-recent-login']);
  expect((await act(contract.closeSupporter, { supporterId })).status).toBe(200);
  const [row] = await api.rows<{ isClosed: boolean; consent: boolean }[]>`
    select closed_on is not null as "isClosed", consent_active as consent from supporters
    where supporter_id = ${supporterId}`;
  expect(row).toEqual({ isClosed: true, consent: false });
  expect(await kindsMailed(supporterId)).toEqual(['account_closed']);
  const acts = [contract.pauseSupporter, contract.resumeSupporter, contract.deleteBankData, contract.sendPasswordReset];
  for (const operation of acts)
    expect(await act(operation, { supporterId })).toMatchObject({ status: 409, message: 'The account is closed.' });
});

test('an unreachable provider does not prevent the closing of an account', async () => {
  const { supporterId } = await api.supporter();
  api.directDebit.setUnreachable(true);
  const first = await act(contract.closeSupporter, { supporterId });
  api.directDebit.setUnreachable(false);
  expect(first.status).toBe(200);
  expect((await act(contract.closeSupporter, { supporterId })).status).toBe(200);
  expect(await kindsMailed(supporterId)).toEqual(['account_closed']);
});
