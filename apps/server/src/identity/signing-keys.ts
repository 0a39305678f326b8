import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import { z } from 'zod';

/** Keys that sign our tokens and check them. */
export interface SigningKeys {
  /** The key that signs now. */
  signing(): Promise<SigningKey>;
  /** The public keys a token may be signed with: the current one, the next one, and those retired a while ago. */
  published(): Promise<JSONWebKeySet>;
}

export interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
}

/** The numbers of an RSA key; `d` and what follows it only where it is a private one. */
export const RsaKey = z.object({
  kty: z.literal('RSA'),
  n: z.string(),
  e: z.string(),
  kid: z.string().optional(),
  d: z.string().optional(),
  p: z.string().optional(),
  q: z.string().optional(),
  dp: z.string().optional(),
  dq: z.string().optional(),
  qi: z.string().optional(),
});
export type RsaKey = z.infer<typeof RsaKey>;
export type NamedKey = RsaKey & { kid: string };

/** Names a key by `kid`, else by thumbprint (RFC 7638). */
export async function named(key: RsaKey): Promise<NamedKey> {
  return { ...key, kid: key.kid ?? (await calculateJwkThumbprint(asJwk(key))) };
}

export async function makeKey(): Promise<NamedKey> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true, modulusLength: 2048 });
  return named(RsaKey.parse(await exportJWK(privateKey)));
}

/** Imports the private key. Throws if there is none. */
export async function asSigningKey(key: NamedKey): Promise<SigningKey> {
  const privateKey = await importJWK(asJwk(key), 'RS256');
  if (privateKey instanceof Uint8Array || privateKey.type !== 'private') {
    throw new TypeError(`The identity key ${key.kid} has no private part.`);
  }
  return { kid: key.kid, privateKey };
}

/** Returns the public part of keys. */
export const publicKeySet = (keys: NamedKey[]): JSONWebKeySet => ({
  keys: keys.map(({ kty, n, e, kid }) => ({ kty, n, e, kid, alg: 'RS256', use: 'sig' })),
});

/** Leaves out undefined members, which jose's type does not allow. */
const asJwk = (key: RsaKey): JWK => JSON.parse(JSON.stringify(key));

/** Finds a token's key among our currently published ones. */
export function ownKeys(keys: SigningKeys): JWTVerifyGetKey {
  let known = '';
  let find: JWTVerifyGetKey | undefined;
  return async (header, token) => {
    const published = await keys.published();
    const names = published.keys.map(({ kid }) => kid).join(' ');
    if (!find || names !== known) {
      find = createLocalJWKSet(published); // keeps imported keys, so it is made only when they change
      known = names;
    }
    return find(header, token);
  };
}

const KeySet = z.union([
  z.object({ keys: z.array(RsaKey).min(1) }).transform(({ keys }) => keys),
  RsaKey.transform((key) => [key]),
]);

const pemBlock = /-----BEGIN (RSA )?(PRIVATE|PUBLIC) KEY-----[^-]+-----END \1\2 KEY-----/g;

const parsePem = (block: string): KeyObject =>
  block.includes('PRIVATE') ? createPrivateKey(block) : createPublicKey(block);

function readKeys(text: string): RsaKey[] {
  if (text.trimStart().startsWith('{')) return KeySet.parse(JSON.parse(text));
  const blocks = text.replaceAll('\\n', '\n').match(pemBlock) ?? [];
  return blocks.map((block) => RsaKey.parse(parsePem(block).export({ format: 'jwk' })));
}

/** The keys that a text holds, at least one. Throws where it holds none, or the first has no private part. */
export function parseIdentityKeys(text: string): [RsaKey, ...RsaKey[]] {
  const [first, ...others] = readKeys(text);
  if (!first) throw new TypeError('The identity keys hold no PEM block and no JWK.');
  if (!first.d) throw new TypeError('The first identity key has no private part.');
  return [first, ...others];
}

/**
 * Signing keys out of the configuration, for servers that share no disk: RSA keys as PEM blocks one after the other, as
 * a JWK or as a JWK set. The first signs and must be private; the others, private or public, are only published. To
 * rotate, add the new key at the end, after an hour move it to the front, and two hours later drop the old one.
 * Throws where the text is none of these.
 */
export async function signingKeysFrom(text: string): Promise<SigningKeys> {
  const [first, ...others] = parseIdentityKeys(text);
  const signer = await named(first);
  const signing = await asSigningKey(signer);
  const published = publicKeySet([signer, ...(await Promise.all(others.map(named)))]);
  return { signing: async () => signing, published: async () => published };
}
