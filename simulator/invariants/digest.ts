import { createHash } from 'node:crypto';
import type { Db } from '@sparechange/server/db/connect.ts';

/** Where everything is that has happened. All of it comes from the seed but what is encrypted, which differs in every run. */
const tables = [
  'round_ups',
  'debits',
  'deposits',
  'remittances',
  'ledger_entries',
  'club_entries',
  'bank_data_deletions',
  'mails',
  'audit_log',
];

/** Returns a digest of a run, ids and times included: equal digests are equal runs. */
export async function digestOf(everybody: Db): Promise<string> {
  const digest = createHash('sha256');
  for (const table of tables) {
    const [row] = await everybody<{ md5: string | null }[]>`
      select md5(string_agg(line, '' order by line)) as md5
      from (select md5((to_jsonb(kept) - 'account_number_encrypted')::text) as line from ${everybody(table)} kept) as lines`;
    digest.update(`${table} ${row?.md5 ?? 'empty'}\n`);
  }
  return digest.digest('hex').slice(0, 16);
}
