import { clubFacts, type FactsOf } from '@sparechange/contract/club-facts';
import { bsbInWords } from '@sparechange/domain/bsb';
import type { Db } from '#db/connect.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { selectFacts } from './club-columns.ts';
import type { Club } from './club-repository.ts';

/** A club as operators see it. */
export interface ClubRecord extends Club, FactsOf<typeof clubFacts> {
  /** Account it is paid into, with its bank and its number masked; null without one, a sentence if it cannot be read. */
  account: string | null;
}

/** A club's stored account, or a change's new one. */
interface StoredAccount {
  /** The club's id. */
  id: string;
  accountName: string | null;
  bsb: Uint8Array | null;
  accountNumber: Uint8Array | null;
}

interface Row extends Omit<ClubRecord, 'account'>, Omit<StoredAccount, 'id'> {}

/** Finds a club by its id or slug. */
export async function findClubRecord(
  db: Db,
  encryption: FieldEncryption,
  idOrSlug: string,
): Promise<ClubRecord | undefined> {
  const [row] = await db<Row[]>`
    select id, ${selectFacts(db, clubFacts)}, ends_on as "endsOn", account_name as "accountName", bsb_encrypted as bsb,
      account_number_encrypted as "accountNumber"
    from clubs where id::text = lower(${idOrSlug}) or slug = lower(${idOrSlug})`;
  if (!row) return undefined;
  const { accountName, bsb, accountNumber, ...club } = row;
  return { ...club, account: accountOf(encryption, row) };
}

/** Formats a club's account; states if no key can decrypt it, so that new details can be requested. */
export function accountOf(
  encryption: FieldEncryption,
  { id, accountName, bsb, accountNumber }: StoredAccount,
): string | null {
  if (!bsb || !accountNumber) return null;
  try {
    const number = encryption.decrypt(accountNumber, `club ${id} account number`);
    const parts = [bsbInWords(encryption.decrypt(bsb, `club ${id} bsb`)), `…${number.slice(-3)}`, accountName ?? ''];
    return parts.join(' ').trim();
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`;
  }
}
