import { setTimeout as wait } from 'node:timers/promises';
import {
  deleteUser as deleteOwnUser,
  reload,
  signInWithEmailAndPassword as signIn,
  signInWithCustomToken,
  createUserWithEmailAndPassword as signUp,
  updatePassword,
  updateProfile,
} from '@firebase/auth';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mintCustomToken } from './custom-token.ts';
import { anAddress, aService, codeOf, goodPassword, projectId, type TestService } from './testing/service.ts';
import { createUser, deleteUser, disableUser, enableUser } from './users.ts';
import { createVerifier, firebaseIssuer } from './verifier.ts';

let service: TestService;
beforeAll(async () => {
  service = await aService();
});
afterAll(() => service.close());

async function aSignedInUser() {
  const email = anAddress();
  const auth = service.browser();
  const { user } = await signUp(auth, email, goodPassword);
  return { email, auth, user };
}

const verifier = () => createVerifier({ projectId, keys: service.keys, db: service.database.pool });

test('a new user is signed in with a token that the product accepts', async () => {
  const { user, email } = await aSignedInUser();
  const { claims } = await user.getIdTokenResult();
  expect(claims).toMatchObject({ email, email_verified: false, aud: projectId, iss: firebaseIssuer(projectId) });
  expect(await verifier()(await user.getIdToken(), { stillValid: true })).toMatchObject({
    uid: user.uid,
    email,
    authTime: Number(claims.auth_time),
  });
});

test('an address belongs to one user, however many people sign up with it at the same time', async () => {
  const email = anAddress();
  const codes = await Promise.all(
    Array.from({ length: 6 }, () => codeOf(signUp(service.browser(), email.toUpperCase(), goodPassword))),
  );
  expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
  expect(codes.filter((code) => code === 'auth/email-already-in-use')).toHaveLength(5);
});

test('a refreshed token keeps the time of the sign-in', async () => {
  const { user } = await aSignedInUser();
  const before = decodeJwt(await user.getIdToken());
  const secondsNow = async () => {
    const [row] = await service.database.pool<{ now: number }[]>`select extract(epoch from now())::int as now`;
    return row?.now ?? 0;
  };
  await expect.poll(secondsNow, { timeout: 10_000 }).toBeGreaterThan(Number(before.iat) + 1);
  const after = decodeJwt(await user.getIdToken(true));
  expect(after.auth_time).toBe(before.auth_time);
  expect(Number(after.iat)).toBeGreaterThan(Number(before.iat));
});

test('changing the password ends every other session within the same second, and keeps this one', async () => {
  const { user, email } = await aSignedInUser();
  const elsewhere = (await signIn(service.browser(), email, goodPassword)).user;
  const tokenElsewhere = await elsewhere.getIdToken();
  await updatePassword(user, 'changed12');
  expect(await codeOf(elsewhere.getIdToken(true))).toBe('auth/user-token-expired');
  await expect(verifier()(tokenElsewhere, { stillValid: true })).rejects.toMatchObject({ problem: 'revoked' });
  expect(await codeOf(user.getIdToken(true))).toBe('ok');
  expect((await verifier()(await user.getIdToken(), { stillValid: true })).uid).toBe(user.uid);
  expect(await codeOf(signIn(service.browser(), email, goodPassword))).toBe('auth/invalid-credential');
});

test('a sign-in that overlaps a change of password does not survive it', async () => {
  let signedIn = 0;
  for (let headStartMs = 0; headStartMs < 150; headStartMs += 15) {
    const { user, email } = await aSignedInUser();
    const [overlapping] = await Promise.all([
      signIn(service.browser(), email, goodPassword).catch(() => undefined),
      wait(headStartMs).then(() => updatePassword(user, 'changed12')),
    ]);
    if (!overlapping) continue; // the sign-in came after the change
    signedIn += 1;
    expect(await codeOf(overlapping.user.getIdToken(true))).toBe('auth/user-token-expired');
  }
  expect(signedIn).toBeGreaterThan(0);
});

test('a disabled user is told so only after the right password, and is signed out everywhere', async () => {
  const { user, auth, email } = await aSignedInUser();
  const token = await user.getIdToken();
  await disableUser(service.database.pool, email.toUpperCase());
  expect(await codeOf(signIn(service.browser(), email, 'wrong-one'))).toBe('auth/invalid-credential');
  expect(await codeOf(signIn(service.browser(), email, goodPassword))).toBe('auth/user-disabled');
  await expect(verifier()(token, { stillValid: true })).rejects.toMatchObject({ problem: 'disabled' });
  expect(await codeOf(user.getIdToken(true))).toBe('auth/user-disabled');
  expect(auth.currentUser).toBeNull();
});

test('earlier sessions stay ended when a user is enabled again', async () => {
  const { user, email } = await aSignedInUser();
  await disableUser(service.database.pool, email);
  await enableUser(service.database.pool, email);
  expect(await codeOf(user.getIdToken(true))).toBe('auth/user-token-expired');
  expect(await codeOf(signIn(service.browser(), email, goodPassword))).toBe('ok');
});

test('a deleted user is signed out everywhere, and the address can be used again', async () => {
  const { user, email } = await aSignedInUser();
  const elsewhere = (await signIn(service.browser(), email, goodPassword)).user;
  const token = await elsewhere.getIdToken();
  await deleteOwnUser(user);
  expect(await codeOf(elsewhere.getIdToken(true))).toBe('auth/user-token-expired');
  await expect(verifier()(token, { stillValid: true })).rejects.toMatchObject({ problem: 'deleted' });
  expect(await codeOf(signUp(service.browser(), email, goodPassword))).toBe('ok');
  expect(await deleteUser(service.database.pool, email)).toBe('done');
  expect(await deleteUser(service.database.pool, email)).toBe('no such user');
});

test('changing the password or deleting the user requires a sign-in within the last five minutes', async () => {
  const { user, email } = await aSignedInUser();
  await service.database.pool`update identity.sessions set auth_time = auth_time - 301 where uid = ${user.uid}`;
  await user.getIdToken(true);
  expect(await codeOf(updatePassword(user, 'changed12'))).toBe('auth/requires-recent-login');
  expect(await codeOf(deleteOwnUser(user))).toBe('auth/requires-recent-login');
  expect(await codeOf(signIn(service.browser(), email, goodPassword))).toBe('ok');
});

test('the fields of a profile are set, kept and cleared', async () => {
  const { user } = await aSignedInUser();
  await updateProfile(user, { displayName: 'Ann', photoURL: 'https://x.example/a.png' });
  await updateProfile(user, { photoURL: null });
  await reload(user);
  expect([user.displayName, user.photoURL]).toEqual(['Ann', null]);
});

test('a hand-off token signs in once, at its own host, and does not make an old sign-in recent', async () => {
  const { user } = await aSignedInUser();
  const issuer = { keys: service.keys, issuer: firebaseIssuer(projectId) };
  const host = new URL(service.url).host;
  const authTime = Math.floor(Date.now() / 1000) - 1000;
  const token = await mintCustomToken(issuer, { uid: user.uid, host, authTime });
  const { user: same } = await signInWithCustomToken(service.browser(), token);
  expect(same.uid).toBe(user.uid);
  expect((await same.getIdTokenResult()).claims.auth_time).toBe(authTime);
  expect(await codeOf(same.getIdToken(true))).toBe('ok');
  expect(await codeOf(signInWithCustomToken(service.browser(), token))).toBe('auth/invalid-custom-token');
  const elsewhere = await mintCustomToken(issuer, { uid: user.uid, host: 'other.example' });
  expect(await codeOf(signInWithCustomToken(service.browser(), elsewhere))).toBe('auth/invalid-custom-token');
});

test('only one of many simultaneous exchanges of a hand-off token succeeds', async () => {
  const { user } = await aSignedInUser();
  const token = await mintCustomToken({ keys: service.keys, issuer: firebaseIssuer(projectId) }, { uid: user.uid });
  const codes = await Promise.all(
    Array.from({ length: 5 }, () => codeOf(signInWithCustomToken(service.browser(), token))),
  );
  expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
});

test('a hand-off token expires after a minute, is revoked with the sessions, and is not an ID token', async () => {
  const { user, email } = await aSignedInUser();
  const issuer = { keys: service.keys, issuer: firebaseIssuer(projectId) };
  const early = await mintCustomToken(issuer, { uid: user.uid });
  await expect(verifier()(early)).rejects.toMatchObject({ problem: 'invalid' });
  expect(await codeOf(signInWithCustomToken(service.browser(), await user.getIdToken()))).toBe(
    'auth/invalid-custom-token',
  );
  await disableUser(service.database.pool, email);
  await enableUser(service.database.pool, email);
  expect(await codeOf(signInWithCustomToken(service.browser(), early))).toBe('auth/invalid-custom-token');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 70_000 });
  const late = await mintCustomToken(issuer, { uid: user.uid });
  vi.useRealTimers();
  expect(await codeOf(signInWithCustomToken(service.browser(), late))).toBe('auth/invalid-custom-token');
});

test('seeding a user again changes nothing', async () => {
  const email = anAddress();
  const first = await createUser(service.database.pool, email, goodPassword);
  const again = await createUser(service.database.pool, email.toUpperCase(), 'another-password');
  expect([first.isNew, again]).toEqual([true, { uid: first.uid, isNew: false }]);
  expect(await codeOf(signIn(service.browser(), email, goodPassword))).toBe('ok');
});
