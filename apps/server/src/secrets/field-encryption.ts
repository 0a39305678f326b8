import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts and decrypts BSBs and account numbers (docs/rules.md#encrypted-account-numbers). */
export interface FieldEncryption {
  /** Binds the text to `context`, its kind and owner, which decrypting has to give as well. */
  encrypt(text: string, context: string): Buffer;
  /** Throws KeyNotConfigured for an unknown key, and an error for another context. */
  decrypt(encrypted: Uint8Array, context: string): string;
  /** Returns keyed hashes to recognise a text by: that of the current key first, then those of the older keys. */
  hash(text: string): [Buffer, ...Buffer[]];
  /** Prefix of everything encrypted or hashed with the current key. */
  currentKeyId: Buffer;
}

export const keyIdLength = 4;
const ivLength = 12;
const tagLength = 16;
const hashLength = 16;

const keyId = (key: Buffer): Buffer => createHash('sha256').update(key).digest().subarray(0, keyIdLength);

/** Returns an HMAC-SHA256 function with a key derived from a data key; its hashes begin with the id of the latter. */
function makeHash(key: Buffer): (text: string) => Buffer {
  const id = keyId(key);
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'sparechange keyed hashes', 32));
  return (text) => Buffer.concat([id, createHmac('sha256', derived).update(text).digest().subarray(0, hashLength)]);
}

/** Thrown for a field encrypted with a key that is not configured: the settings are wrong, not the field. */
export class KeyNotConfigured extends Error {
  constructor() {
    super('encrypted with a key that is not configured');
  }
}

/** Encrypts with AES-256-GCM under the first key; the others still decrypt, so that keys can rotate (re-encrypt.ts). */
export function makeFieldEncryption(keys: [Buffer, ...Buffer[]]): FieldEncryption {
  const byId = new Map(keys.map((key) => [keyId(key).toString('hex'), key]));
  const [current, ...older] = keys;
  const hashCurrent = makeHash(current);
  const hashOlder = older.map(makeHash);
  return {
    hash: (text) => [hashCurrent(text), ...hashOlder.map((hash) => hash(text))],
    currentKeyId: keyId(current),
    encrypt(text, context) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv('aes-256-gcm', current, iv).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([keyId(current), iv, cipher.getAuthTag(), ciphertext]);
    },
    decrypt(encrypted, context) {
      const bytes = Buffer.from(encrypted);
      const key = byId.get(bytes.subarray(0, keyIdLength).toString('hex'));
      if (!key) throw new KeyNotConfigured();
      const iv = bytes.subarray(keyIdLength, keyIdLength + ivLength);
      const tag = bytes.subarray(keyIdLength + ivLength, keyIdLength + ivLength + tagLength);
      const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context)).setAuthTag(tag);
      const ciphertext = bytes.subarray(keyIdLength + ivLength + tagLength);
      return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
