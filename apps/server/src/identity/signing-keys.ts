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
  /** The public keys a token may be signed with: the one that signs now, the next one, and those retired a while ago. */
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
