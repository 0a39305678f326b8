import type { IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

export interface Account {
  id: string;
  providerAccountId: string;
  name: string;
  kind: string;
  maskedNumber: string;
  canFund: boolean;
  roundUpsOn: boolean;
  isFunding: boolean;
  holderDiffers: boolean;
  bsbEncrypted: Uint8Array | null;
  accountNumberEncrypted: Uint8Array | null;
}

/** Lists accounts the bank shows, transaction accounts first, by name. */
export function listAccounts(db: Db, supporterId: string): Promise<Account[]> {
  return db<Account[]>`
    select id, provider_account_id as "providerAccountId", name, kind, masked_number as "maskedNumber", can_fund as "canFund",
      round_ups_on as "roundUpsOn", is_funding as "isFunding", holder_differs as "holderDiffers", bsb_encrypted as "bsbEncrypted",
      account_number_encrypted as "accountNumberEncrypted"
    from accounts where supporter_id = ${supporterId} and is_listed
    order by kind = 'transaction' desc, name, id`;
}

/** Tracks an account from a day on (null: from the start of onboarding), or stops tracking it. */
export async function saveRoundUpsOn(
  db: Db,
  supporterId: string,
  accountId: string,
  isOn: boolean,
  from: IsoDate | null,
): Promise<void> {
  await db`
    update accounts set round_ups_on = ${isOn},
      round_ups_from = case when ${isOn} and not round_ups_on then ${from}::date else round_ups_from end
    where supporter_id = ${supporterId} and id = ${accountId}`;
}

/** Stops tracking accounts that the bank no longer shows: the supporter has chosen again from those shown. */
export async function stopTrackingMissing(db: Db, supporterId: string): Promise<void> {
  await db`
    update accounts set round_ups_on = false
    where supporter_id = ${supporterId} and missing_since is not null and round_ups_on`;
}

/** Makes an account the only funding account, usable from now. */
export async function saveFundingAccount(db: Db, supporterId: string, accountId: string): Promise<void> {
  await db`update accounts set is_funding = false where supporter_id = ${supporterId} and is_funding and id <> ${accountId}`;
  await db`
    update accounts set is_funding = true, unusable_since = null, unusable_code = null, unusable_because = null
    where supporter_id = ${supporterId} and id = ${accountId}`;
}
