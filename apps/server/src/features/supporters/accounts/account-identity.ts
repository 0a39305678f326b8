import type { BankAccountDetails } from '#ports/bank-link.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';

type Numbered = Pick<BankAccountDetails, 'bsb' | 'accountNumber' | 'displayNumber' | 'kind' | 'institution'>;

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** Ignores leading zeros, which some banks write and others omit. */
const numberText = (bsb: string, accountNumber: string): string =>
  `bank account ${digitsOf(bsb)} ${digitsOf(accountNumber).replace(/^0+/, '')}`;

/** Identifies a masked card by its bank, kind and last four digits, as nothing else is shown. */
const maskedText = (institution: string, kind: string, lastDigits: string): string =>
  `masked account ${institution} ${kind} ${lastDigits}`;

/** Returns the words that identify an account; undefined if there are none. */
export function identityText(account: Numbered): string | undefined {
  const { bsb, accountNumber, displayNumber, kind, institution } = account;
  if (bsb && accountNumber) return numberText(bsb, accountNumber);
  const lastDigits = digitsOf(accountNumber ?? displayNumber).slice(-4);
  return institution && lastDigits.length === 4 ? maskedText(institution, kind, lastDigits) : undefined;
}

/** Hashes an identity for one supporter, so that a joint account cannot be recognised as such in the database. */
export const identitiesOf = (encryption: FieldEncryption, supporterId: string, text: string): [Buffer, ...Buffer[]] =>
  encryption.hash(`supporter ${supporterId} ${text}`);

/** Stored parts of an account that determine its identity. */
export interface StoredNumber {
  kind: string;
  maskedNumber: string;
  institution: string | null;
  bsbEncrypted: Uint8Array | null;
  accountNumberEncrypted: Uint8Array | null;
}

/** Returns the identity text of a stored account. */
export function storedIdentityText(
  encryption: FieldEncryption,
  supporterId: string,
  stored: StoredNumber,
): string | undefined {
  const { bsbEncrypted, accountNumberEncrypted, kind, maskedNumber, institution } = stored;
  if (bsbEncrypted && accountNumberEncrypted) {
    const bsb = encryption.decrypt(bsbEncrypted, `supporter ${supporterId} bsb`);
    return numberText(bsb, encryption.decrypt(accountNumberEncrypted, `supporter ${supporterId} account number`));
  }
  return identityText({
    bsb: undefined,
    accountNumber: undefined,
    displayNumber: maskedNumber,
    kind,
    institution: institution ?? undefined,
  });
}
