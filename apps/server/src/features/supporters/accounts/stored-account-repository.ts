import type { Db } from '#db/connect.ts';
import type { StoredNumber } from './account-identity.ts';

export interface StoredRow extends StoredNumber {
  id: string;
  providerAccountId: string;
  aliases: string[];
  identity: Uint8Array | null;
  name: string;
  canFund: boolean;
  holderDiffers: boolean;
  isFunding: boolean;
  roundUpsOn: boolean;
  isListed: boolean;
}

/**
 * Lists every account of a supporter, shown or not; undefined once the consent has ended, even during the call to the
 * bank. Locks the supporter's row, so that lists are stored one at a time.
 */
export async function lockStoredAccounts(tx: Db, supporterId: string): Promise<StoredRow[] | undefined> {
  const [consenting] = await tx`
    select from supporters where supporter_id = ${supporterId} and consent_active for no key update`;
  if (!consenting) return undefined;
  return tx<StoredRow[]>`
    select id, provider_account_id as "providerAccountId", identity, name, can_fund as "canFund",
      holder_differs as "holderDiffers", kind, masked_number as "maskedNumber", institution,
      bsb_encrypted as "bsbEncrypted", account_number_encrypted as "accountNumberEncrypted", is_funding as "isFunding",
      round_ups_on as "roundUpsOn", is_listed as "isListed",
      array(select alias.provider_account_id from account_aliases alias
        where alias.supporter_id = accounts.supporter_id and alias.account_id = accounts.id) as aliases
    from accounts where supporter_id = ${supporterId} order by id`;
}

export interface FetchedAccount {
  providerAccountId: string;
  name: string;
  kind: string;
  institution: string | null;
  maskedNumber: string;
  canFund: boolean;
  bsbEncrypted: Uint8Array | null;
  accountNumberEncrypted: Uint8Array | null;
  /** True if the bank names a holder unlike the supporter. */
  holderDiffers: boolean;
}

export async function addAccount(
  tx: Db,
  supporterId: string,
  account: FetchedAccount,
  identity: Uint8Array | null,
): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    insert into accounts (supporter_id, provider_account_id, identity, name, kind, institution, masked_number, can_fund,
      bsb_encrypted, account_number_encrypted, holder_differs)
    values (${supporterId}, ${account.providerAccountId}, ${identity}, ${account.name}, ${account.kind},
      ${account.institution}, ${account.maskedNumber}, ${account.canFund}, ${account.bsbEncrypted},
      ${account.accountNumberEncrypted}, ${account.holderDiffers})
    returning id`;
  return row?.id ?? '';
}

/** Frees the ids of accounts that get another one; their purchases keep the first in their fingerprints. */
export async function freeProviderIds(tx: Db, supporterId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    update accounts set first_provider_account_id = coalesce(first_provider_account_id, provider_account_id),
      provider_account_id = 'changing ' || id, identity = null
    where supporter_id = ${supporterId} and id = any(${ids})`;
}

/** Stores an account as the bank shows it, under its present id; the supporter's own choices about it stay. */
export async function updateAccount(
  tx: Db,
  supporterId: string,
  id: string,
  account: FetchedAccount,
  identity: Uint8Array | null,
): Promise<void> {
  await tx`
    update accounts set name = ${account.name}, kind = ${account.kind}, institution = ${account.institution},
      masked_number = ${account.maskedNumber}, can_fund = ${account.canFund}, bsb_encrypted = ${account.bsbEncrypted},
      account_number_encrypted = ${account.accountNumberEncrypted}, holder_differs = ${account.holderDiffers}, identity = ${identity}, is_listed = true,
      missing_since = null, provider_account_id = ${account.providerAccountId}
    where supporter_id = ${supporterId} and id = ${id}`;
}

/** Deletes an alias that becomes an account's current id. */
export async function deleteAlias(tx: Db, supporterId: string, providerId: string): Promise<void> {
  await tx`delete from account_aliases where supporter_id = ${supporterId} and provider_account_id = ${providerId}`;
}

/** Recognises an account also under these ids of the provider. */
export async function saveAliases(tx: Db, supporterId: string, id: string, providerIds: string[]): Promise<void> {
  if (providerIds.length === 0) return;
  await tx`
    insert into account_aliases (supporter_id, provider_account_id, account_id)
    select ${supporterId}, provider_id, ${id} from unnest(${providerIds}::text[]) as provider_id
    on conflict (supporter_id, provider_account_id) do update set account_id = excluded.account_id`;
}

/**
 * Merges two accounts that turned out to be the same: references to the second move to the first, and if only the
 * second was tracked, the first takes over that choice and the second's fingerprints.
 */
export async function mergeAccounts(tx: Db, supporterId: string, keptId: string, mergedId: string): Promise<void> {
  await tx`
    update accounts kept set round_ups_on = true, round_ups_from = merged.round_ups_from,
      first_provider_account_id = coalesce(merged.first_provider_account_id, merged.provider_account_id)
    from accounts merged
    where kept.supporter_id = ${supporterId} and kept.id = ${keptId} and not kept.round_ups_on
      and merged.supporter_id = kept.supporter_id and merged.id = ${mergedId} and merged.round_ups_on`;
  for (const table of ['round_ups', 'purchase_refunds', 'ineligible_transactions', 'mandates', 'account_aliases']) {
    await tx`
      update ${tx(table)} set account_id = ${keptId} where supporter_id = ${supporterId} and account_id = ${mergedId}`;
  }
  await tx`
    insert into holder_reviews as review (supporter_id, account_id, asked_at, decision, decided_at)
    select supporter_id, ${keptId}, asked_at, decision, decided_at from holder_reviews
    where supporter_id = ${supporterId} and account_id = ${mergedId}
    on conflict (supporter_id, account_id) do update set decision = excluded.decision, decided_at = excluded.decided_at
    where review.decision is null`;
  await tx`delete from holder_reviews where supporter_id = ${supporterId} and account_id = ${mergedId}`;
  await tx`delete from accounts where supporter_id = ${supporterId} and id = ${mergedId}`;
}

/** Marks accounts that the bank left out of its list: neither tracked nor debited until it shows them again. */
export async function markMissing(tx: Db, supporterId: string, ids: string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    update accounts set is_listed = false, missing_since = coalesce(missing_since, ${now})
    where supporter_id = ${supporterId} and id = any(${ids})`;
}
