import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The key's id, 256 random bits and a checksum, after a prefix by which scanners of source code find it. */
const written = /^(sparechange_([0-9a-f]{12})_[0-9a-f]{64})([0-9a-f]{8})$/;

const checksumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');

export const newKeyId = (): string => randomBytes(6).toString('hex');

/** Returns a new key with that id; it is shown once and stored as its hash. */
export function newKeyText(id: string): string {
  const text = `sparechange_${id}_${randomBytes(32).toString('hex')}`;
  return `${text}${checksumOf(text)}`;
}

/** Returns the id in a key; undefined for mistyped or truncated text, which saves a query. */
export function idOfKey(text: string): string | undefined {
  const [, body = '', id, checksum] = written.exec(text) ?? [];
  return checksum === checksumOf(body) ? id : undefined;
}

/** Hashes fast, as 256 random bits cannot be guessed. */
export const hashOfKey = (text: string): Buffer => createHash('sha256').update(text).digest();

export const isSameHash = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
