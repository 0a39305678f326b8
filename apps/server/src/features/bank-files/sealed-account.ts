import type { AccountHolder } from '#ports/direct-entry-book.ts';
import type { Seal } from '#secrets/seal.ts';

/** An account and its holder as one sealed text; the context says what it belongs to. */
export function sealAccount(seal: Seal, { name, bsb, accountNumber }: AccountHolder, context: string): Buffer {
  return seal.close(JSON.stringify([name, bsb, accountNumber]), context);
}

export function openAccount(seal: Seal, sealed: Uint8Array, context: string): AccountHolder {
  const [name, bsb, accountNumber]: [string, string, string] = JSON.parse(seal.open(sealed, context));
  return { name, bsb, accountNumber };
}
