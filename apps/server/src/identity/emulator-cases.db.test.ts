import { createUserWithEmailAndPassword as signUp, updatePassword } from '@firebase/auth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintCustomToken } from './custom-token.ts';
import { anAddress, apiKey, aService, codeOf, goodPassword, projectId, type TestService } from './testing/service.ts';
import { disableUser } from './users.ts';
import { firebaseIssuer } from './verifier.ts';

/** The official emulator's cases for password sign-in with enumeration protection. */
let service: TestService;
beforeAll(async () => {
  service = await aService();
});
afterAll(() => service.close());

const accounts = async (operation: string, body: unknown, headers: Record<string, string> = {}): Promise<string> => {
  const { status, json } = await service.call(`/v1/accounts:${operation}`, body, headers);
  return status === 200 ? 'ok' : (json.error?.message ?? `${status}`);
};

async function aUser() {
  const email = anAddress();
  const { user } = await signUp(service.browser(), email, goodPassword);
  return { email, user, uid: user.uid, idToken: await user.getIdToken() };
}

test('an absent address is missing, an empty one is invalid', async () => {
  expect(await accounts('signInWithPassword', { password: 'secret12' })).toBe('MISSING_EMAIL');
  expect(await accounts('signInWithPassword', { email: '', password: 'secret12' })).toBe('INVALID_EMAIL');
  expect(await accounts('signUp', { email: '', password: '' })).toBe('INVALID_EMAIL');
  expect(await accounts('signUp', { email: '', password: 'secret12' })).toBe('MISSING_EMAIL');
});

test.each([{ deleteProvider: ['password'] }, { deleteAttribute: ['PASSWORD'] }, { deleteAttribute: ['EMAIL'] }])(
  'the password cannot be taken off: %j',
  async (change) => {
    const { email, idToken } = await aUser();
    expect(await accounts('update', { idToken, ...change })).toBe('OPERATION_NOT_ALLOWED');
    expect(await accounts('signInWithPassword', { email, password: goodPassword })).toBe('ok');
  },
);

test('the key may come in a header', async () => {
  const path = `${service.url}/identitytoolkit.googleapis.com/v1/accounts:signUp`;
  const body = JSON.stringify({ email: anAddress(), password: goodPassword });
  const ask = async (headers: Record<string, string>) =>
    (await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })).status;
  expect(await ask({})).toBe(403);
  expect(await ask({ 'x-goog-api-key': 'another' })).toBe(400);
  expect(await ask({ 'x-goog-api-key': apiKey })).toBe(200);
  const allowed = (await fetch(path, { method: 'OPTIONS' })).headers.get('access-control-allow-headers');
  expect(allowed).toContain('x-goog-api-key');
});

test('a token is refreshed by either spelling of the fields', async () => {
  const { user } = await aUser();
  for (const body of [
    { grantType: 'refresh_token', refreshToken: user.refreshToken },
    { grant_type: 'refresh_token', refresh_token: user.refreshToken },
  ]) {
    const answer = await fetch(`${service.url}/securetoken.googleapis.com/v1/token?key=${apiKey}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
  }
});

test('no account is made in another project or tenant', async () => {
  const credentials = () => ({ email: anAddress(), password: goodPassword });
  expect(await accounts('signUp', { ...credentials(), targetProjectId: projectId })).toBe('INSUFFICIENT_PERMISSION');
  expect(await accounts('signUp', { ...credentials(), tenantId: 'unknown' })).toBe('INVALID_TENANT_ID');
  const { email } = await aUser();
  expect(await accounts('signInWithPassword', { email, password: goodPassword, tenantId: 'unknown' })).toBe(
    'INVALID_TENANT_ID',
  );
});

test('a custom token of a user disabled since says so', async () => {
  const { email, uid } = await aUser();
  const token = await mintCustomToken({ keys: service.keys, issuer: firebaseIssuer(projectId) }, { uid });
  await disableUser(service.database.pool, email);
  expect(await accounts('signInWithCustomToken', { token })).toBe('USER_DISABLED');
});

test('a request type may be a number', async () => {
  const { email } = await aUser();
  expect(await accounts('sendOobCode', { requestType: 1, email })).toBe('ok');
  expect(await accounts('sendOobCode', { requestType: 6, email })).toBe('OPERATION_NOT_ALLOWED');
});

test('which ways to sign in an address has is answered alike for every address', async () => {
  const { email } = await aUser();
  const ask = async (identifier: string) => {
    const { status, json } = await service.call('/v1/accounts:createAuthUri', {
      identifier,
      continueUri: 'http://localhost/',
    });
    return [status, Object.keys(json)];
  };
  expect(await ask(email)).toEqual([200, ['kind', 'sessionId']]);
  expect(await ask(anAddress('nobody'))).toEqual(await ask(email));
  expect(await accounts('createAuthUri', { identifier: email })).toBe('MISSING_CONTINUE_URI');
  expect(await accounts('createAuthUri', { identifier: email, continueUri: 'x' })).toBe('INVALID_CONTINUE_URI');
  expect(await accounts('createAuthUri', { continueUri: 'http://localhost/' })).toBe('MISSING_IDENTIFIER');
  expect(await accounts('createAuthUri', { identifier: 'x', continueUri: 'http://localhost/' })).toBe(
    'INVALID_IDENTIFIER',
  );
});

test('a user may end every session by validSince', async () => {
  const { idToken, user } = await aUser();
  const now = Math.floor(Date.now() / 1000);
  expect(await accounts('update', { idToken, validSince: String(now) })).toBe('ok');
  expect(await accounts('lookup', { idToken })).toBe('TOKEN_EXPIRED');
  expect(await codeOf(user.getIdToken(true))).toBe('auth/user-token-expired');
});

test('a password that everybody tries is weak', async () => {
  const { user } = await aUser();
  expect(await codeOf(signUp(service.browser(), anAddress(), 'password'))).toBe('auth/weak-password');
  expect(await codeOf(updatePassword(user, '12345678'))).toBe('auth/weak-password');
});
