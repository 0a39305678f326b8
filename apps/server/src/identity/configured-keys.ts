import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { asSigningKey, named, publicKeySet, RsaKey, type SigningKeys } from './signing-keys.ts';

const KeySet = z.union([
  z.object({ keys: z.array(RsaKey).min(1) }).transform(({ keys }) => keys),
  RsaKey.transform((key) => [key]),
]);

const pemBlock = /-----BEGIN (RSA )?(PRIVATE|PUBLIC) KEY-----[\s\S]+?-----END \1\2 KEY-----/g;

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
