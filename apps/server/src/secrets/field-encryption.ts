import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts and decrypts BSBs and account numbers (docs/rules.md#encrypted-account-numbers). */
export interface FieldEncryption {
  /** `context`, kind and owner, must be the same for decrypting. */
  encrypt(text: string, context: string): Buffer;
  /** Throws for an unknown key or another context. */
  decrypt(encrypted: Uint8Array, context: string): string;
  /** Returns keyed hashes of a text, by which it is recognised: under the current key first, then under the older ones. */
  hash(text: string): [Buffer, ...Buffer[]];
  /** Prefix of everything encrypted or hashed with the current key. */
  currentKeyId: Buffer;
}

export const keyIdLength = 4;
const ivLength = 12;
const tagLength = 16;
const hashLength = 16;

const keyId = (key: Buffer): Buffer => createHash('sha256').update(key).digest().subarray(0, keyIdLength);

/** Hashes with HMAC-SHA256 under a key derived once from a data key, led by the id of that data key. */
function hashingWith(key: Buffer): (text: string) => Buffer {
  const id = keyId(key);
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'sparechange keyed hashes', 32));
  return (text) => Buffer.concat([id, createHmac('sha256', derived).update(text).digest().subarray(0, hashLength)]);
}

/** Thrown for what a configured key has not encrypted: a fault of the settings, not of the field. */
export class KeyNotConfigured extends Error {
  constructor() {
    super('encrypted with a key that is not configured');
  }
}

/** AES-256-GCM. The first key encrypts; the others still decrypt, so that a key can be rotated (re-encrypt.ts). */
export function makeFieldEncryption(keys: [Buffer, ...Buffer[]]): FieldEncryption {
  const byId = new Map(keys.map((key) => [keyId(key).toString('hex'), key]));
  const [current, ...older] = keys;
  const hashCurrent = hashingWith(current);
  const hashOlder = older.map(hashingWith);
  return {
    hash: (text) => [hashCurrent(text), ...hashOlder.map((hash) => hash(text))],
    currentKeyId: keyId(current),
    encrypt(text, context) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv('aes-256-gcm', current, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([keyId(current), iv, cipher.getAuthTag(), body]);
    },
    decrypt(encrypted, context) {
      const bytes = Buffer.from(encrypted);
      const key = byId.get(bytes.subarray(0, keyIdLength).toString('hex'));
      if (!key) throw new KeyNotConfigured();
      const iv = bytes.subarray(keyIdLength, keyIdLength + ivLength);
      const tag = bytes.subarray(keyIdLength + ivLength, keyIdLength + ivLength + tagLength);
      const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context)).setAuthTag(tag);
      const body = bytes.subarray(keyIdLength + ivLength + tagLength);
      return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
