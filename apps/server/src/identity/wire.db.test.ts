import { request as send } from 'node:http';
import { reload, createUserWithEmailAndPassword as signUp } from '@firebase/auth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultPolicy } from './passwords.ts';
import { Answer, anAddress, apiKey, aService, codeOf, goodPassword, type TestService } from './testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await aService();
});
afterAll(() => service.close());

const operations = [
  'signUp',
  'signInWithPassword',
  'signInWithCustomToken',
  'lookup',
  'update',
  'delete',
  'sendOobCode',
  'resetPassword',
];
const fields = [
  'email',
  'password',
  'idToken',
  'oobCode',
  'newPassword',
  'token',
  'requestType',
  'continueUrl',
  'displayName',
  'deleteAttribute',
];

async function raw(path: string, init: RequestInit = {}) {
  const answer = await fetch(service.url + path, init);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, json: Answer.parse(JSON.parse(text)) };
}

const bodies: unknown[] = [
  ...[null, [], 'text', 5, {}, { email: null }, { email: 5 }, { email: ['a@b.co'] }, { email: { $ne: '' } }],
  ...[
    '\0',
    'a\0@b.co',
    '\ud800@b.co',
    'a@b.co\u202e',
    `${'a'.repeat(9000)}@b.co`,
    "a'--@b.co",
    '😀',
    '__proto__',
  ].flatMap((text) => [
    Object.fromEntries(fields.map((field) => [field, text])),
    { email: 'a@b.co', password: text, requestType: 'PASSWORD_RESET', continueUrl: text, displayName: text },
    { email: text, password: 'secret12', requestType: 'PASSWORD_RESET' },
  ]),
  Object.fromEntries(fields.map((field) => [field, {}])),
  { email: anAddress(), password: 'x'.repeat(4097) },
];

test.each(operations)('%s answers any input in Google’s shape and never with a fault', async (operation) => {
  for (const body of bodies) {
    const { status, json } = await service.call(`/v1/accounts:${operation}`, body);
    expect(status, JSON.stringify(body)?.slice(0, 80)).toBeLessThan(500);
    if (status === 200) continue;
    expect(json.error).toMatchObject({ code: status, message: expect.any(String) });
    expect(json.error?.errors[0]).toMatchObject({ message: json.error?.message, domain: 'global' });
  }
});

test('malformed requests of every kind are answered as JSON', async () => {
  const path = `/identitytoolkit.googleapis.com/v1/accounts:signUp?key=${apiKey}`;
  const json = { 'content-type': 'application/json' };
  const cases: [string, RequestInit, number][] = [
    [path, { method: 'POST', headers: json, body: '{"a":' }, 400],
    [path, { method: 'POST', headers: json, body: '{"__proto__":{"email":"a@b.co"}}' }, 400],
    [path, { method: 'POST', headers: json, body: '' }, 400],
    [path, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'hello' }, 400],
    [path, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--' }, 400],
    [path, { method: 'POST', headers: json, body: JSON.stringify({ email: 'x'.repeat(40_000) }) }, 413],
    [path, { method: 'GET' }, 404],
    [path, { method: 'PUT', headers: json, body: '{}' }, 404],
    [`${path}&key=${apiKey}`, { method: 'POST', headers: json, body: '{}' }, 400],
    [
      `/identitytoolkit.googleapis.com/v1/accounts:nothing?key=${apiKey}`,
      { method: 'POST', headers: json, body: '{}' },
      404,
    ],
    [`/identitytoolkit.googleapis.com/?key=${apiKey}`, {}, 404],
    [`/securetoken.googleapis.com/v1/nothing?key=${apiKey}`, { method: 'POST' }, 404],
    [
      `/securetoken.googleapis.com/v1/token?key=${apiKey}`,
      { method: 'POST', body: 'grant_type=refresh_token&refresh_token=%00%ff' },
      400,
    ],
    ['/identitytoolkit.googleapis.com/v1/accounts:signUp', { method: 'POST', headers: json, body: '{}' }, 403],
    [
      '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=other',
      { method: 'POST', headers: json, body: '{}' },
      400,
    ],
  ];
  for (const [url, init, status] of cases) {
    const answer = await raw(url, init);
    expect([answer.status, answer.json.error?.code], `${url} ${String(init.body).slice(0, 30)}`).toEqual([
      status,
      status,
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('a key that is missing is refused before the body is read', async () => {
  const { json } = await raw('/identitytoolkit.googleapis.com/v1/accounts:signUp', { method: 'POST', body: '{broken' });
  expect(json.error?.status).toBe('PERMISSION_DENIED');
});

test('keys may be cached for an hour, nothing else at all', async () => {
  const jwks = await raw('/.well-known/jwks.json');
  expect(jwks.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(jwks.json.keys).toHaveLength(1);
  expect(Object.keys(jwks.json.keys?.[0] ?? {}).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  const answer = await service.call('/v1/accounts:signUp', { email: anAddress(), password: goodPassword });
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('the policy is published and kept', async () => {
  const strict = {
    ...defaultPolicy,
    minLength: 8,
    numeric: true,
    uppercase: true,
    nonAlphanumeric: true,
    enforced: true,
  };
  const other = await aService({ passwordPolicy: strict });
  const answer = await fetch(`${other.url}/identitytoolkit.googleapis.com/v2/passwordPolicy?key=${apiKey}`);
  expect(await answer.json()).toMatchObject({
    customStrengthOptions: { minPasswordLength: 8, containsNumericCharacter: true },
    enforcementState: 'ENFORCE',
    schemaVersion: 1,
  });
  const attempt = (password: string) => codeOf(signUp(other.browser(), anAddress(), password));
  expect(await attempt('Abcdef-g')).toBe('auth/password-does-not-meet-requirements');
  expect(await attempt('Ab-1')).toBe('auth/weak-password');
  expect(await attempt('Abcdef.1')).toBe('ok');
  await other.close();
});

test('a password is compared as a whole and however its letters were composed', async () => {
  const email = anAddress();
  const password = `${'é'.repeat(100)}x`;
  const signIn = (attempt: string) => service.call('/v1/accounts:signInWithPassword', { email, password: attempt });
  await service.call('/v1/accounts:signUp', { email, password });
  expect((await signIn(password.normalize('NFD'))).status).toBe(200);
  expect((await signIn(password.slice(0, -1))).json.error?.message).toBe('INVALID_LOGIN_CREDENTIALS');
});

test('no supporter is signed out because our database is unavailable', async () => {
  const other = await aService();
  const auth = other.browser();
  await signUp(auth, anAddress(), goodPassword);
  const user = auth.currentUser;
  if (!user) throw new Error('not signed in');
  await other.database.pool`alter schema identity rename to away`;
  expect(await codeOf(reload(user))).toBe('auth/network-request-failed');
  expect(await codeOf(user.getIdToken(true))).toBe('auth/network-request-failed');
  expect(auth.currentUser).toBe(user);
  const answer = await other.call('/v1/accounts:signInWithPassword', { email: anAddress(), password: goodPassword });
  expect([answer.status, answer.json.error?.status, answer.json.error?.message]).toEqual([
    503,
    'UNAVAILABLE',
    undefined,
  ]);
  await other.database.pool`alter schema away rename to identity`;
  await other.close();
});

test('an answer tells nothing that it should not', async () => {
  const email = anAddress();
  const { json } = await service.call('/v1/accounts:signUp', { email, password: goodPassword });
  const lookup = await service.call('/v1/accounts:lookup', { idToken: json.idToken });
  expect(JSON.stringify(lookup.json)).not.toMatch(/argon2|salt|passwordHash/);
  expect((await service.call('/v1/accounts:lookup', { localId: [json.localId] })).json.error?.message).toBe(
    'MISSING_ID_TOKEN',
  );
  expect((await service.call('/v1/accounts:delete', { localId: json.localId })).json.error?.message).toBe(
    'MISSING_ID_TOKEN',
  );
});

test('a request that never ends its body harms nobody', async () => {
  const { port } = new URL(service.url);
  const half = send({
    port,
    method: 'POST',
    path: `/identitytoolkit.googleapis.com/v1/accounts:signUp?key=${apiKey}`,
    headers: { 'content-type': 'application/json', 'content-length': '100' },
  });
  half.on('error', () => {});
  half.write('{"a"');
  expect((await service.call('/v1/accounts:signUp', { email: anAddress(), password: goodPassword })).status).toBe(200);
  half.destroy();
});

test('an address in another normal form is the same account', async () => {
  const email = `zoe\u0308-${anAddress()}`;
  await signUp(service.browser(), email, goodPassword);
  const again = signUp(service.browser(), email.normalize('NFC').toUpperCase(), goodPassword);
  expect(await codeOf(again)).toBe('auth/email-already-in-use');
});
