import { ColumnMapping } from '@sparechange/contract/console';
import type { Db } from '#db/connect.ts';
import type { GivenMappings } from './parse-csv.ts';

const maxKept = 200;

/** Lists the mappings kept for CSV files, the newest first; those of a form that is no longer taken are left out. */
export async function listMappings(db: Db): Promise<NonNullable<GivenMappings['kept']>> {
  const rows = await db<{ headingHash: string; mapping: unknown }[]>`
    select heading_hash as "headingHash", mapping from bank_statement_mappings order by saved_at desc limit ${maxKept}`;
  return rows.flatMap(({ headingHash, mapping }) => {
    const { data } = ColumnMapping.safeParse(mapping);
    return data ? [{ headingHash, mapping: data }] : [];
  });
}

/** Keeps a mapping for the next file of the account with the same heading. */
export const keepMapping = (
  tx: Db,
  { account, savedAt }: { account: string; savedAt: Date },
  { headingHash, mapping }: { headingHash: string; mapping: ColumnMapping },
) => tx`
  insert into bank_statement_mappings (account, heading_hash, mapping, saved_at)
  values (${account}, ${headingHash}, ${tx.json(mapping)}, ${savedAt})
  on conflict (account, heading_hash) do update set mapping = excluded.mapping, saved_at = excluded.saved_at`;
