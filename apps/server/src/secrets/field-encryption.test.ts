import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeFieldEncryption } from './field-encryption.ts';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const encryption = makeFieldEncryption([oldKey]);

test('what is closed opens again with the same context', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, text, (text, context) => {
      expect(encryption.decrypt(encryption.encrypt(text, context), context)).toBe(text);
    }),
  );
});

test('for another supporter or another field it does not open', () => {
  const encrypted = encryption.encrypt('062000', 'supporter a bsb');
  expect(() => encryption.decrypt(encrypted, 'supporter b bsb')).toThrow();
  expect(() => encryption.decrypt(encrypted, 'supporter a account number')).toThrow();
});

test('the text cannot be read in what is stored, and closing it twice gives two different values', () => {
  const [one, other] = [encryption.encrypt('12345678', 'a'), encryption.encrypt('12345678', 'a')];
  expect(one.includes('12345678')).toBe(false);
  expect(one.equals(other)).toBe(false);
});

test('after a rotation the old key still decrypts, and the new one encrypts', () => {
  const before = encryption.encrypt('062000', 'a');
  const rotated = makeFieldEncryption([newKey, oldKey]);
  expect(rotated.decrypt(before, 'a')).toBe('062000');
  expect(makeFieldEncryption([newKey]).decrypt(rotated.encrypt('062000', 'a'), 'a')).toBe('062000');
});

test('what was closed with a key that is gone says so', () => {
  expect(() => makeFieldEncryption([newKey]).decrypt(encryption.encrypt('062000', 'a'), 'a')).toThrow(
    'a key that is not configured',
  );
});

test('a changed byte anywhere is detected', () => {
  const encrypted = encryption.encrypt('12345678', 'a');
  for (let at = 0; at < encrypted.length; at += 1) {
    const changed = Buffer.from(encrypted);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => encryption.decrypt(changed, 'a')).toThrow();
  }
});

test('what comes out of the database as plain bytes opens too', () => {
  expect(encryption.decrypt(new Uint8Array(encryption.encrypt('062000', 'a')), 'a')).toBe('062000');
});
