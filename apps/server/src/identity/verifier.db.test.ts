import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createUserWithEmailAndPassword as signUp } from '@firebase/auth';
import { SignJWT } from 'jose';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { InvalidIdToken } from './refusal.ts';
import { maxAgeMs } from './remote-keys.ts';
import type { SigningKeys } from './signing-keys.ts';
import { aKeySet, anAddress, aService, goodPassword, projectId, type TestService } from './testing/service.ts';
import { disableUser } from './users.ts';
import { createVerifier, firebaseIssuer } from './verifier.ts';

const issuer = firebaseIssuer(projectId);
const now = () => Math.floor(Date.now() / 1000);

let keys: SigningKeys;
beforeAll(async () => {
  keys = await aKeySet();
});
afterEach(() => vi.useRealTimers());

interface Trap {
  alg?: string;
  kid?: string;
  payload?: Record<string, unknown>;
  signedWith?: SigningKeys;
}

/** A token like ours except for the given changes. */
async function aToken({ kid, payload = {}, signedWith = keys }: Trap = {}): Promise<string> {
  const key = await signedWith.signing();
  const claims = {
    iss: issuer,
    aud: projectId,
    sub: 'uid',
    email: 'ann@example.com',
    auth_time: now(),
    iat: now(),
    exp: now() + 3600,
    ...payload,
  };
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: kid ?? key.kid, typ: 'JWT' }).sign(key.privateKey);
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const verify = (token: string, from: SigningKeys | URL = keys) => createVerifier({ projectId, keys: from })(token);

async function problemOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof InvalidIdToken ? error.problem : `not refused: ${String(error)}`;
}

test('a genuine token names its user', async () => {
  expect(await verify(await aToken())).toMatchObject({
    uid: 'uid',
    email: 'ann@example.com',
    authTime: expect.any(Number),
  });
});

test.each<[string, Record<string, unknown>]>([
  ['of another project', { aud: 'demo-y' }],
  ['of another issuer', { iss: 'https://securetoken.google.com/demo-y' }],
  ['without a subject', { sub: undefined }],
  ['with an empty subject', { sub: '' }],
  ['with a subject of 129 characters', { sub: 'u'.repeat(129) }],
  ['without a moment of sign-in', { auth_time: undefined }],
  ['of a sign-in in the future', { auth_time: now() + 60 }],
  ['made in the future', { iat: now() + 60, exp: now() + 3660 }],
  ['without an end', { exp: undefined }],
  ['without an address', { email: undefined }],
])('a token %s is refused', async (_what, payload) => {
  expect(await problemOf(verify(await aToken({ payload })))).toBe('invalid');
});

test('a token that has ended, or claims to live longer than an hour, is refused', async () => {
  expect(await problemOf(verify(await aToken({ payload: { iat: now() - 3610, exp: now() - 10 } })))).toBe('expired');
  expect(await problemOf(verify(await aToken({ payload: { iat: now() - 3700, exp: now() + 9999 } })))).toBe('expired');
});

test('nobody but us signs: no unsigned, symmetric, foreign, altered or nameless token passes', async () => {
  const genuine = await aToken();
  const [header = '', payload = '', signature = ''] = genuine.split('.');
  const [publicKey] = (await keys.published()).keys;
  const confused = new SignJWT({ sub: 'uid' }).setProtectedHeader({ alg: 'HS256', kid: publicKey?.kid ?? '' });
  const foreign = await aKeySet();
  const traps = [
    `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    `${encode({ alg: 'RS256', kid: publicKey?.kid })}.${payload}.`,
    await confused.sign(new TextEncoder().encode(JSON.stringify(publicKey))),
    await aToken({ signedWith: foreign }),
    await aToken({ signedWith: foreign, kid: publicKey?.kid ?? '' }),
    `${header}.${encode({ sub: 'other' })}.${signature}`,
    `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    genuine.slice(0, -1),
    'a.b.c',
    '',
    'x'.repeat(100_000),
  ];
  for (const trap of traps) expect(await problemOf(verify(trap)), trap.slice(0, 40)).toBe('invalid');
});

test('a remembered token still ends', async () => {
  const check = createVerifier({ projectId, keys });
  const token = await aToken();
  expect((await check(token)).uid).toBe('uid');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3606_000 });
  expect(await problemOf(check(token))).toBe('expired');
});

test('a remembered token is looked at again when its key was withdrawn', async () => {
  let published = await keys.published();
  const check = createVerifier({ projectId, keys: { ...keys, published: async () => published } });
  const token = await aToken();
  await check(token);
  published = await (await aKeySet()).published();
  expect((await check(token)).uid).toBe('uid');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60_000 });
  expect(await problemOf(check(token))).toBe('invalid');
});

test('whether the user is still there is asked each time, and only where it is asked for', async () => {
  const service: TestService = await aService();
  const email = anAddress();
  const { user } = await signUp(service.browser(), email, goodPassword);
  const token = await user.getIdToken();
  const check = createVerifier({ projectId, keys: service.keys, db: service.database.pool });
  expect((await check(token, { stillValid: true })).uid).toBe(user.uid);
  await disableUser(service.database.pool, email);
  expect((await check(token)).uid).toBe(user.uid);
  expect(await problemOf(check(token, { stillValid: true }))).toBe('disabled');
  await service.close();
});

/** A provider's published keys. */
interface Provider {
  url: URL;
  requests: number;
  status: number;
  keys: SigningKeys;
  server: Server;
}

async function aProvider(): Promise<Provider> {
  const server = createServer(async (_request, response) => {
    provider.requests++;
    response.writeHead(provider.status, { 'cache-control': 'public, max-age=600, must-revalidate' });
    response.end(JSON.stringify(await provider.keys.published()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const provider: Provider = { url: new URL(`http://127.0.0.1:${port}`), requests: 0, status: 200, keys, server };
  return provider;
}

test("a provider's keys are kept as long as it says, and asked for again when they rotate", async () => {
  const provider = await aProvider();
  const check = createVerifier({ projectId, keys: provider.url });
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  await Promise.all([check(await aToken()), check(await aToken({ payload: { sub: 'b' } }))]);
  expect(provider.requests).toBe(1);
  vi.setSystemTime(start + 599_000);
  await check(await aToken());
  expect(provider.requests).toBe(1);
  vi.setSystemTime(start + 601_000);
  await check(await aToken());
  expect(provider.requests).toBe(2);

  provider.keys = await aKeySet();
  const rotated = await aToken({ signedWith: provider.keys });
  expect(await problemOf(check(rotated))).toBe('invalid'); // asked a moment ago: strangers cannot make us ask often
  vi.setSystemTime(start + 640_000);
  expect((await check(rotated)).uid).toBe('uid');
  expect(provider.requests).toBe(3);
  provider.server.close();
});

test('while a provider is unavailable the last keys count; without any the failure is no refusal', async () => {
  const provider = await aProvider();
  const check = createVerifier({ projectId, keys: provider.url });
  provider.status = 503;
  await expect(check(await aToken())).rejects.toThrow(/answered 503/);
  provider.status = 200;
  expect((await check(await aToken())).uid).toBe('uid');
  provider.status = 503;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 700_000 });
  expect((await check(await aToken())).uid).toBe('uid');
  provider.server.close();
});

test('the life of an answer has bounds', () => {
  expect(maxAgeMs('public, max-age=21000, must-revalidate')).toBe(21_000_000);
  expect(maxAgeMs(null)).toBe(60_000);
  expect(maxAgeMs('max-age=99999999')).toBe(86_400_000);
});
