import { createHash } from 'node:crypto';
import * as contract from '@sparechange/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeResetCode } from '#identity/oob-codes.ts';
import { disableUser, enableUser } from '#identity/users.ts';
import { aWholeApp, identityKey, type WholeApp } from '#testing/whole-app.ts';

let api: WholeApp;
beforeAll(async () => {
  api = await aWholeApp();
});
afterAll(() => api.close());

const host = 'riverside-rovers.sparechange.example';
const verifier = 'of the browser at the other host';
const challenge = createHash('sha256').update(verifier).digest('base64url');

interface Person {
  email: string;
  uid: string;
  idToken: string;
  refreshToken: string;
}

let count = 0;

async function ask(path: string, payload: object, origin = 'localhost') {
  const answer = await api.app.inject({
    method: 'POST',
    url: `${path}?key=${identityKey}`,
    headers: { host: origin },
    payload,
  });
  return { status: answer.statusCode, body: answer.json<Record<string, string>>() };
}
const toolkit = (operation: string, payload: object, origin?: string) =>
  ask(`/identitytoolkit.googleapis.com/v1/accounts:${operation}`, payload, origin);

async function aPerson(): Promise<Person> {
  const email = `robin-${++count}@example.com`;
  const { body } = await toolkit('signUp', { email, password: 'a long password', returnSecureToken: true });
  const { localId: uid = '', idToken = '', refreshToken = '' } = body;
  return { email, uid, idToken, refreshToken };
}

const bearing = ({ idToken }: Person) => ({ headers: { authorization: `Bearer ${idToken}` } });

/** Issues a code as an intruder with the person's session. */
async function aCode(person: Person): Promise<string> {
  const { uid: userId } = person;
  const { handoff } = (await api.call(contract.createHandoff, { userId, host }, bearing(person))).body;
  await api.call(contract.confirmHandoff, { userId, handoff, challenge }, bearing(person));
  return handoff;
}
const exchange = (handoff: string) =>
  api.call(contract.exchangeHandoff, { handoff, verifier }, { tenant: 'riverside-rovers', headers: { host } });

const waysToEnd: Record<string, (person: Person) => Promise<unknown>> = {
  'a changed password': ({ idToken }) => toolkit('update', { idToken, password: 'another password' }),
  'a reset': async ({ email }) => {
    const oobCode = await makeResetCode(api.db, email);
    return toolkit('resetPassword', { oobCode, newPassword: 'another password' });
  },
  'disabling, also when it is undone': async ({ email }) => {
    await disableUser(api.db, email);
    await enableUser(api.db, email);
  },
  removal: ({ idToken }) => toolkit('delete', { idToken }),
  'logging out': (person) => api.call(contract.endSession, { userId: person.uid }, bearing(person)),
  'logging out everywhere': (person) => api.call(contract.endEverySession, { userId: person.uid }, bearing(person)),
};

test.each(Object.entries(waysToEnd))('%s ends an earlier code and an earlier custom token', async (_what, end) => {
  const person = await aPerson();
  const [code, other] = [await aCode(person), await aCode(person)];
  const { customToken } = (await exchange(other)).body;
  expect(customToken).toBeTruthy();
  await end(person);
  expect((await exchange(code)).status).toBe(403);
  expect((await toolkit('signInWithCustomToken', { token: customToken }, host)).status).toBe(400);
});

test('a code of the session that changed the password is valid', async () => {
  const person = await aPerson();
  const { idToken } = person;
  const { body } = await toolkit('update', { idToken, password: 'another password', returnSecureToken: true });
  const code = await aCode({ ...person, idToken: body.idToken ?? '' });
  const { customToken } = (await exchange(code)).body;
  expect((await toolkit('signInWithCustomToken', { token: customToken }, host)).status).toBe(200);
});

const refresh = ({ refreshToken: refresh_token }: Person) =>
  ask('/securetoken.googleapis.com/v1/token', { grant_type: 'refresh_token', refresh_token });
const readOwn = (person: Person) => api.send(contract.getUser, { userId: person.uid }, bearing(person));
async function signedInAgain({ email, uid }: Person): Promise<Person> {
  const { body } = await toolkit('signInWithPassword', { email, password: 'a long password' });
  const { idToken = '', refreshToken = '' } = body;
  return { email, uid, idToken, refreshToken };
}

test('logging out ends this session at the server and no other', async () => {
  const here = await aPerson();
  const there = await signedInAgain(here);
  await api.call(contract.endSession, { userId: here.uid }, bearing(here));
  expect((await readOwn(here)).status).toBe(401);
  expect(await refresh(here)).toMatchObject({ status: 400, body: { error: { message: 'TOKEN_EXPIRED' } } });
  expect(await toolkit('lookup', { idToken: here.idToken })).toMatchObject({ status: 400 });
  expect((await readOwn(there)).status).toBe(404); // signed in, and not registered
  expect((await refresh(there)).status).toBe(200);
});

test('logging out everywhere ends every session', async () => {
  const here = await aPerson();
  const there = await signedInAgain(here);
  await api.call(contract.endEverySession, { userId: here.uid }, bearing(here));
  for (const session of [here, there]) {
    expect((await readOwn(session)).status).toBe(401);
    expect((await refresh(session)).status).toBe(400);
  }
  expect((await readOwn(await signedInAgain(here))).status).toBe(404);
});
