import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Signs the audit log with a key outside the database. */
export interface AuditKeys {
  /** Returns the current key's id followed by a 32-byte HMAC-SHA256. */
  sign(text: string): Buffer;
  verify(text: string, signature: Uint8Array): 'valid' | 'invalid' | 'unknown_key';
  /** Returns whether the signature's key is configured, valid or not. */
  knowsKeyOf(signature: Uint8Array): boolean;
  /** Prefix of every signature made now. */
  currentKeyId: Buffer;
}

const keyIdLength = 4;
const label = 'sparechange audit checkpoints';

interface Key {
  id: Buffer;
  secret: Buffer;
}

function derive(dataKey: Buffer): Key {
  const secret = Buffer.from(hkdfSync('sha256', dataKey, '', label, 32));
  return { secret, id: createHash('sha256').update(secret).digest().subarray(0, keyIdLength) };
}

const signWith = ({ id, secret }: Key, text: string): Buffer =>
  Buffer.concat([id, createHmac('sha256', secret).update(text).digest()]);

/** Derives the keys from data keys; only the first signs. */
export function makeAuditKeys([first, ...others]: [Buffer, ...Buffer[]]): AuditKeys {
  const current = derive(first);
  const keys = [current, ...others.map(derive)];
  const keyOf = (signature: Uint8Array) =>
    keys.find(({ id }) => id.equals(Buffer.from(signature).subarray(0, keyIdLength)));
  return {
    currentKeyId: current.id,
    knowsKeyOf: (signature) => keyOf(signature) !== undefined,
    sign: (text) => signWith(current, text),
    verify(text, signature) {
      const given = Buffer.from(signature);
      const key = keyOf(given);
      if (!key) return 'unknown_key';
      const expected = signWith(key, text);
      return expected.length === given.length && timingSafeEqual(expected, given) ? 'valid' : 'invalid';
    },
  };
}

const modulus = 1n << 256n;
const asNumber = (bytes: Uint8Array): bigint => BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);

/**
 * Adds marks to a sum and subtracts others, modulo 2^256; without the key nobody can find another set with a wanted
 * sum.
 */
export function addMarks(sum: Uint8Array, added: Uint8Array[], removed: Uint8Array[] = []): Buffer {
  const hmacOf = (mark: Uint8Array) => asNumber(mark.subarray(keyIdLength));
  let total = asNumber(sum);
  for (const mark of added) total += hmacOf(mark);
  for (const mark of removed) total -= hmacOf(mark);
  const wrapped = ((total % modulus) + modulus) % modulus;
  return Buffer.from(wrapped.toString(16).padStart(64, '0'), 'hex');
}
