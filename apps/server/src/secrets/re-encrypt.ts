import type { Db, Pool } from '#db/connect.ts';
import { bucketTables } from '#db/table-homes.ts';
import type { FieldEncryption } from './field-encryption.ts';

interface EncryptedColumn {
  table: string;
  column: string;
  /** The columns of the primary key. */
  key: string[];
  /** The context under which a value was encrypted. */
  context: (row: Row) => string;
}

type Row = Record<string, unknown> & { value: Uint8Array };

const bySupporter = (table: string, key: string[], what: string): EncryptedColumn[] => [
  { table, column: 'bsb_encrypted', key, context: (row) => `supporter ${row.supporter_id} ${what}bsb` },
  {
    table,
    column: 'account_number_encrypted',
    key,
    context: (row) => `supporter ${row.supporter_id} ${what}account number`,
  },
];

/** Every encrypted column but the account numbers of clubs, which have a way of their own; a test asks the database. */
export const encryptedColumns: EncryptedColumn[] = [
  ...bySupporter('accounts', ['supporter_id', 'id'], ''),
  ...bySupporter('savings_accounts', ['supporter_id'], 'savings '),
  ...['secret_encrypted', 'former_secret_encrypted'].map((column) => ({
    table: 'webhook_endpoints',
    column,
    key: ['id'],
    context: (row: Row) => `webhook endpoint ${row.id} secret`,
  })),
  {
    table: 'bank_detail_changes',
    column: 'bsb_encrypted',
    key: ['id', 'club_id'],
    context: (row) => `club ${row.club_id} bsb`,
  },
  {
    table: 'bank_detail_changes',
    column: 'account_number_encrypted',
    key: ['id', 'club_id'],
    context: (row) => `club ${row.club_id} account number`,
  },
  { table: 'clubs', column: 'bsb_encrypted', key: ['id'], context: (row) => `club ${row.id} bsb` },
  {
    table: 'operators',
    column: 'totp_secret_encrypted',
    key: ['id'],
    context: (row) => `operator ${row.id} code`,
  },
  {
    table: 'direct_entry.mandates',
    column: 'account_encrypted',
    key: ['id'],
    context: (row) => `direct entry mandate ${row.id}`,
  },
  {
    table: 'direct_entry.entries',
    column: 'account_encrypted',
    key: ['reference'],
    context: (row) => `direct entry ${row.reference}`,
  },
  {
    table: 'direct_entry.files',
    column: 'content_encrypted',
    key: ['name'],
    context: (row) => `direct entry file ${row.name}`,
  },
];

/** Selects the values that an older key encrypted. */
const outdated = (db: Db, encryption: FieldEncryption, column: string) => db`
  ${db(column)} is not null and substring(${db(column)} from 1 for ${encryption.currentKeyId.length}::int) <> ${encryption.currentKeyId}`;

const pageSize = 500;

async function reEncryptColumn(
  pool: Pool,
  encryption: FieldEncryption,
  { table, column, key, context }: EncryptedColumn,
): Promise<number> {
  let count = 0;
  const pages = pool<Row[]>`
    select ${pool(key)}, ${pool(column)} as value from ${pool(table)} where ${outdated(pool, encryption, column)}`;
  for await (const rows of pages.cursor(pageSize)) {
    await pool.begin(async (tx) => {
      for (const row of rows) {
        const again = encryption.encrypt(encryption.decrypt(row.value, context(row)), context(row));
        const isRow = key.map((name) => tx`${tx(name)} = ${row[name] as string} and`);
        const changed = await tx`
          update ${tx(table)} set ${tx(column)} = ${again} where ${isRow} ${tx(column)} = ${row.value}`;
        count += changed.count;
      }
    });
  }
  return count;
}

/**
 * A remittance keeps the very bytes of its club's account number, which tell whether the number was changed since
 * (failed-remittances.ts). So both change in one step, and what is equal stays equal.
 */
function reEncryptClubNumbers(pool: Pool, encryption: FieldEncryption): Promise<number> {
  return pool.begin(async (tx) => {
    const rows = await tx<{ clubId: string; encrypted: Uint8Array }[]>`
      select id as "clubId", account_number_encrypted as encrypted from clubs
      where ${outdated(tx, encryption, 'account_number_encrypted')}
      union
      select club_id, account_number_encrypted from remittances where ${outdated(tx, encryption, 'account_number_encrypted')}`;
    for (const { clubId, encrypted } of rows) {
      const context = `club ${clubId} account number`;
      const again = encryption.encrypt(encryption.decrypt(encrypted, context), context);
      await tx`update clubs set account_number_encrypted = ${again} where id = ${clubId} and account_number_encrypted = ${encrypted}`;
      await tx`
        update remittances set account_number_encrypted = ${again}
        where club_id = ${clubId} and account_number_encrypted = ${encrypted}`;
    }
    return rows.length;
  });
}

/**
 * Encrypts with the first data key every value that an older one encrypted, and returns how many there were. May run
 * beside the product and again: a value changed since was encrypted with the first key already. Throws at a value of a
 * key that is not configured.
 */
export async function reEncryptEverything(pool: Pool, encryption: FieldEncryption): Promise<number> {
  let count = await reEncryptClubNumbers(pool, encryption);
  for (const column of encryptedColumns)
    for (const home of bucketTables.includes(column.table) ? pool.inBuckets() : [pool])
      count += await reEncryptColumn(home, encryption, column);
  return count;
}
