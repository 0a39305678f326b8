import type { AccountHolder } from '#ports/direct-entry-book.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';

/** Encrypts an account and its holder, bound to a context. */
export function encryptAccount(
  encryption: FieldEncryption,
  { name, bsb, accountNumber }: AccountHolder,
  context: string,
): Buffer {
  return encryption.encrypt(JSON.stringify([name, bsb, accountNumber]), context);
}

export function openAccount(encryption: FieldEncryption, sealed: Uint8Array, context: string): AccountHolder {
  const [name, bsb, accountNumber]: [string, string, string] = JSON.parse(encryption.decrypt(sealed, context));
  return { name, bsb, accountNumber };
}
