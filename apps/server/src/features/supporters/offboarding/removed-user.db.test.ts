import * as contract from '@sparechange/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { checksOfIdentity } from '#features/core/ledger/checks-of-identity.ts';
import { removeUserInside } from '#identity/users.ts';
import { aWholeApp, identityKey, signUp, type WholeApp } from '#testing/whole-app.ts';
import { closeAccount } from './close-supporter.ts';
import { removeUsersOfClosed } from './remove-users.ts';

let api: WholeApp;
beforeAll(async () => {
  api = await aWholeApp();
});
afterAll(() => api.close());

const deleteUser = (idToken: string) =>
  api.app.inject({
    method: 'POST',
    url: `/identitytoolkit.googleapis.com/v1/accounts:delete?key=${identityKey}`,
    payload: { idToken },
  });

const found = async () => (await auditBooks(api.db, checksOfIdentity)).violations;

test('removing the identity user closes the account as the screen does', async () => {
  const { uid, idToken } = await signUp(api, 'robin@example.com');
  const { supporterId } = await api.supporter({ uid, email: 'robin@example.com' });
  expect(await found()).toEqual([]);
  expect((await deleteUser(idToken)).statusCode).toBe(200);
  const [row] = await api.rows`
    select closed_on is not null as "isClosed",
      (select count(*) from accounts where accounts.supporter_id = supporters.supporter_id and is_funding) as funding,
      (select count(*) from mails where mails.supporter_id = supporters.supporter_id and key = 'account closed') as mails
    from supporters where supporter_id = ${supporterId}`;
  expect(row).toEqual({ isClosed: true, funding: 0, mails: 1 });
  expect(await found()).toEqual([]);
});

test('removing an identity user who never registered closes no account', async () => {
  const { uid, idToken } = await signUp(api, 'kim@example.com');
  const closed = () => api.rows`select uid from supporters where closed_on is not null order by uid`;
  const before = await closed();
  expect((await deleteUser(idToken)).statusCode).toBe(200);
  expect(await api.rows`select from identity.users where uid = ${uid}`).toEqual([]);
  expect(await closed()).toEqual(before);
});

test('audit finds an open account without a user to sign in', async () => {
  const { uid } = await signUp(api, 'alex@example.com');
  const { supporterId } = await api.supporter({ uid, email: 'alex@example.com' });
  await api.db.begin((tx) => removeUserInside(tx, uid));
  expect(await found()).toEqual([
    `an open account has somebody who can sign in: supporter ${supporterId} is open and has no identity user`,
  ]);
});

test('a closed account whose user still exists is refused immediately, and audit finds it', async () => {
  const { uid, idToken } = await signUp(api, 'ash@example.com');
  const { supporterId } = await api.supporter({ uid, email: 'ash@example.com' });
  const before = await found();
  const getUser = () =>
    api.call(contract.getUser, { userId: uid }, { headers: { authorization: `Bearer ${idToken}` } });
  expect((await getUser()).status).toBe(200);
  const db = api.db.of(supporterId);
  const removeUser = () => Promise.reject(new Error('control does not answer'));
  await expect(closeAccount({ ...api, db, removeUser }, supporterId, 'operator')).rejects.toThrow();
  expect((await getUser()).status).toBe(401);
  expect(await found()).toEqual(before); // the night's consent run tries again
  const dayAfterNext = new Date(api.clock.now().getTime() + 2 * 86_400_000);
  await api.db`
    insert into timetable_runs (task, due_at, finished_at) values ('consent-run', ${dayAfterNext}, ${dayAfterNext})`;
  expect(await found()).toEqual([
    ...before,
    `a closed account has nobody who can sign in: supporter ${supporterId} is closed and has an identity user`,
  ]);
  await removeUsersOfClosed(db, api.clock, async (tx, user) => {
    await removeUserInside(tx, user);
    return 'removed';
  });
  expect(await found()).toEqual(before);
});

test('audit excuses a differing address for an hour, and no longer', async () => {
  const { uid } = await signUp(api, 'sky@example.com');
  const { supporterId } = await api.supporter({ uid, email: 'former@example.com' });
  const before = await found();
  await api.db`insert into identity.address_changes (uid) values (${uid})`;
  const during = await found();
  await api.db`update identity.address_changes set noted_at = now() - interval '61 minutes' where uid = ${uid}`;
  const violation = `an open account has the address of its identity user: supporter ${supporterId} has another address than their identity user`;
  expect([before, during, await found()].map((all) => all.includes(violation))).toEqual([true, false, true]);
});
