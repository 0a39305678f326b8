import { appendToAuditLog, idsNamed, operatorsChain } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';

export interface ExportDeps {
  db: Pool;
  encryption: FieldEncryption;
}

type Row = Record<string, unknown>;

export interface SupporterExport {
  exportedFor: string;
  /** Every table of ours with rows about them. */
  tables: Record<string, Row[]>;
  /** Rows of the embedded identity service; of passwords and sessions only their existence. */
  identity: Row[];
}

/** Context under which each column was encrypted (features/supporters/accounts, features/disbursements/savings). */
const contexts: Record<string, Record<string, string>> = {
  accounts: { bsb_encrypted: 'bsb', account_number_encrypted: 'account number' },
  savings_accounts: { bsb_encrypted: 'savings bsb', account_number_encrypted: 'savings account number' },
};

/**
 * Returns everything held about a supporter, for the supporter. The tables are read from the database, so that a new
 * one is never forgotten. Account numbers are left out unless `withAccountNumbers` is set.
 */
export async function exportSupporter(
  { db, encryption }: ExportDeps,
  supporterId: string,
  { withAccountNumbers = false } = {},
): Promise<SupporterExport> {
  const { email } = await getSupporter(db, supporterId);
  const tables: Record<string, Row[]> = {};
  for (const table of await listTables(db)) {
    const rows = await db<Row[]>`select * from ${db(table)} where supporter_id = ${supporterId}`;
    const readable = rows.map((row) => decrypted(row, table, supporterId, withAccountNumbers ? encryption : undefined));
    if (readable.length > 0) tables[table] = readable;
  }
  const commands = await listCommandsAbout(db, supporterId);
  if (commands.length > 0) tables.audit_log = [...(tables.audit_log ?? []), ...commands];
  return { exportedFor: email, tables, identity: await identityOf(db, supporterId) };
}

/** Lists commands about a supporter from the operators' audit chain in control: those with the id, by an index. */
async function listCommandsAbout(db: Pool, supporterId: string): Promise<Row[]> {
  const rows = await db.inControl()<Row[]>`
    select * from audit_log where supporter_id = ${operatorsChain}
      and ${idsNamed(db)} @> array[${supporterId}::text]
      and (details::text like ${`%supporter ${supporterId}%`} or details ->> 'supporterId' = ${supporterId}) order by id`;
  return [...rows];
}

/** Lists the tables with a supporter's id in their bucket and in control; a partition's rows belong to its parent. */
async function listTables(db: Pool): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select distinct relname::text as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = any(current_schemas(false)::regnamespace[]) and relkind in ('r', 'p') and not relispartition
      and attname = 'supporter_id' and not attisdropped order by 1`;
  return rows.map(({ name }) => name);
}

/** Decrypts encrypted columns or leaves them out: unreadable bytes are of no use. Documents are base64. */
function decrypted(row: Row, table: string, supporterId: string, encryption: FieldEncryption | undefined): Row {
  return Object.fromEntries(
    Object.entries(row).flatMap(([column, value]): [string, unknown][] => {
      if (!column.endsWith('_encrypted'))
        return [[column, value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value]];
      const context = contexts[table]?.[column];
      if (!encryption || !context || !(value instanceof Uint8Array)) return [];
      return [[column.replace(/_encrypted$/, ''), encryption.decrypt(value, `supporter ${supporterId} ${context}`)]];
    }),
  );
}

async function identityOf(db: Pool, supporterId: string): Promise<Row[]> {
  const [supporter] = await db<{ uid: string }[]>`select uid from supporters where supporter_id = ${supporterId}`;
  const rows = await db.inControl()<Row[]>`
    select account.uid, account.email, account.email_verified, account.display_name, account.photo_url, account.disabled,
      account.created_at, account.last_login_at, account.password_updated_at,
      (select count(*) from identity.sessions where sessions.uid = account.uid) as sessions,
      array(select held.email from identity.addresses held
        where held.uid = account.uid and held.held_until is not null order by 1) as held_addresses
    from identity.users account where uid = ${supporter?.uid ?? ''}`;
  return [...rows];
}

/**
 * Emails a supporter the link to the page where they alone, signed in, download their data; at most once a day. Returns
 * true if an email was queued (docs/decisions/console.md#acts-of-support).
 */
export function offerExport(pool: Pool, clock: Clock, supporterId: string): Promise<boolean> {
  const at = clock.now();
  return pool.of(supporterId).begin(async (tx) => {
    const key = `data offered ${today(clock)}`;
    const isNew = await queueEmail(tx, { supporterId, key, facts: { kind: 'data_offered' }, at });
    if (isNew)
      await appendToAuditLog(tx, { supporterId, at, actor: 'operator', action: 'mailed the way to their data' });
    return isNew;
  });
}
