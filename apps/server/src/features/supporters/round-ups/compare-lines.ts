import { createHash } from 'node:crypto';
import type { Db } from '#db/connect.ts';

export interface ComparedLines {
  /** Digest of the lines and the settings that affect them. */
  digest: Uint8Array;
  /** True if lines and settings match the last recorded sync. */
  isUnchanged: boolean;
  /** True if a line names an account whose id is not known yet, as after a new consent. */
  hasUnknownAccounts: boolean;
}

/**
 * Compares the input of a sync with the last one's: mostly the bank shows nothing new. The settings are read before
 * anything is recorded, so a later change makes the next sync record again.
 */
export async function compareLines(
  db: Db,
  supporterId: string,
  lines: unknown,
  accountIds: readonly string[],
): Promise<ComparedLines> {
  const hash = createHash('sha256').update(JSON.stringify(lines)).digest('hex');
  const [compared] = await db<ComparedLines[]>`
    select settings.digest, coalesce(supporter.statement_digest = settings.digest, false) as "isUnchanged",
      exists (select from unnest(${[...new Set(accountIds)]}::text[]) as named (id) where not exists (
        select from shown_accounts known where known.supporter_id = supporter.supporter_id
          and known.provider_account_id = named.id)) as "hasUnknownAccounts"
    from supporters supporter cross join lateral (
      select sha256(convert_to(concat_ws(E'\n', ${hash}::text, supporter.consent_active, supporter.rounds_from, supporter.deleted_through_seq,
        (select string_agg(concat_ws(' ', provider_account_id, account_id, first_provider_account_id, is_tracked, round_ups_from),
          E'\n' order by provider_account_id, account_id) from shown_accounts shown where shown.supporter_id = supporter.supporter_id),
        (select string_agg(concat_ws(' ', paused_on, resumed_on), E'\n' order by paused_at) from pauses pause
          where pause.supporter_id = supporter.supporter_id)), 'UTF8')) as digest
    ) as settings
    where supporter.supporter_id = ${supporterId}`;
  if (!compared) throw new Error(`There is no supporter ${supporterId}.`);
  return compared;
}
