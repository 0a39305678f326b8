import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signIdToken, type TokenIssuer } from './id-tokens.ts';
import { afterlifeSeconds, leadSeconds, loadSigningKeys, rotateSigningKey } from './key-files.ts';
import { makeKey, signingKeysFrom } from './signing-keys.ts';
import { createVerifier, firebaseIssuer } from './verifier.ts';

const projectId = 'demo-x';
let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'identity-keys-')), 'keys');
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(join(folder, '..'), { recursive: true });
});

const kids = async (keys: TokenIssuer['keys']) => (await keys.published()).keys.map(({ kid }) => kid);

function aTokenFrom(keys: TokenIssuer['keys']): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const user = {
    uid: 'uid',
    email: 'ann@example.com',
    emailVerified: false,
    passwordHash: '',
    displayName: null,
    photoUrl: null,
    disabled: false,
    validSince: 0,
    createdAt: new Date(),
    lastLoginAt: new Date(),
    passwordUpdatedAt: new Date(),
    readAt: now,
  };
  const session = { id: 'session', uid: 'uid', since: now, authTime: now, provider: 'password' as const };
  return signIdToken({ keys, issuer: firebaseIssuer(projectId), projectId }, user, session);
}

test('the first start makes a key that only we can read; the next finds it', async () => {
  const keys = await loadSigningKeys(folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readdir(folder)).toEqual(['1.json']);
  expect((await stat(join(folder, '1.json'))).mode & 0o777).toBe(0o600);
  expect(await kids(await loadSigningKeys(folder))).toEqual(await kids(keys));
});

test('servers that start together agree on one key', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => loadSigningKeys(folder)));
  const names = await Promise.all(all.map(async (keys) => (await keys.signing()).kid));
  expect(new Set(names).size).toBe(1);
  expect(await readdir(folder)).toEqual(['1.json']);
});

test('a rotation needs no restart and refuses no token that is still running', async () => {
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const keys = await loadSigningKeys(folder);
  const verify = createVerifier({ projectId, keys });
  const { kid: first } = await keys.signing();
  expect(await rotateSigningKey(folder)).toBe('added');
  expect(await rotateSigningKey(folder)).toBe('under way');

  vi.setSystemTime(start + 61_000);
  expect(await kids(keys)).toHaveLength(2);
  expect((await keys.signing()).kid).toBe(first);
  vi.setSystemTime(start + (leadSeconds - 1) * 1000);
  const last = await aTokenFrom(keys);

  vi.setSystemTime(start + (leadSeconds + 60) * 1000);
  expect((await keys.signing()).kid).not.toBe(first);
  expect((await verify(await aTokenFrom(keys))).uid).toBe('uid');
  vi.setSystemTime(start + (leadSeconds + 3590) * 1000);
  expect((await verify(last)).uid).toBe('uid');
  vi.setSystemTime(start + (leadSeconds + afterlifeSeconds + 60) * 1000);
  expect(await kids(keys)).not.toContain(first);
});

test('configured keys may be PEM, a JWK or a JWK set; the first signs, all are published, no private part is', async () => {
  const pem = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [one, two] = [pem(), pem()];
  const privatePem = one.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const publicPem = two.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const jwk = await makeKey();
  const { d, p, q, dp, dq, qi, ...retired } = await makeKey();
  const texts = [
    privatePem.replaceAll('\n', '\\n'),
    privatePem + publicPem,
    JSON.stringify(jwk),
    JSON.stringify({ keys: [jwk, retired] }),
  ];
  const sizes = [1, 2, 1, 2];
  for (const [index, text] of texts.entries()) {
    const keys = await signingKeysFrom(text);
    const published = await keys.published();
    expect(published.keys).toHaveLength(sizes[index] ?? 0);
    expect(published.keys[0]?.kid).toBe((await keys.signing()).kid);
    expect(JSON.stringify(published)).not.toMatch(/"(d|p|q)":/);
    expect((await createVerifier({ projectId, keys })(await aTokenFrom(keys))).uid).toBe('uid');
  }
});

test('a configuration without a usable private key is refused', async () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await expect(signingKeysFrom(publicPem)).rejects.toThrow(/no private part/);
  await expect(signingKeysFrom('hello')).rejects.toThrow(/no PEM block/);
  await expect(signingKeysFrom('{"kty":"EC"}')).rejects.toThrow();
});
