import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditBooks } from '#features/ledger/audit-books.ts';
import { checksOfIdentity } from '#features/ledger/checks-of-identity.ts';
import { removeUserInside } from '#identity/users.ts';
import { aWholeApp, identityKey, signUp, type WholeApp } from '#testing/whole-app.ts';

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

test('somebody who never registered is removed as before', async () => {
  const { idToken } = await signUp(api, 'kim@example.com');
  expect((await deleteUser(idToken)).statusCode).toBe(200);
});

test('audit finds an open account that nobody can sign in to', async () => {
  const { uid } = await signUp(api, 'alex@example.com');
  const { supporterId } = await api.supporter({ uid, email: 'alex@example.com' });
  await api.db.begin((tx) => removeUserInside(tx, uid));
  expect(await found()).toEqual([
    `an open account has somebody who can sign in: supporter ${supporterId} is open and has no identity user`,
  ]);
});
