import type { Cents, IsoDate, ReturnCode } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { BankFileProblem } from '#ports/bank-files.ts';
import type {
  DirectEntryBook,
  KeptFile,
  NewFile,
  OrderKind,
  Unlodging,
  Withdrawing,
} from '#ports/direct-entry-book.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { hasReturned, hasTotalOnStatement, isNamedOnStatement, lockFile } from './signs-of-bank.ts';

const context = (name: string): string => `direct entry file ${name}`;

/**
 * Throws BankFileProblem for content that no data key can decrypt any more
 * (docs/decisions/payments.md#orders-that-cannot-be-decrypted).
 */
function readContent(encryption: FieldEncryption, name: string, encrypted: Uint8Array): string {
  try {
    return encryption.decrypt(encrypted, context(name));
  } catch (error) {
    throw new BankFileProblem(`${name} cannot be read: ${(error as Error).message}.`);
  }
}

/** Totals of one kind of orders. */
export interface OrdersOfKind {
  kind: OrderKind;
  orders: number;
  totalCents: Cents;
}

/** Totals orders that are in no file yet, by kind. */
export async function sumWaiting(db: Db): Promise<OrdersOfKind[]> {
  return db<OrdersOfKind[]>`
    select kind, count(*) as orders, sum(amount_cents)::bigint as "totalCents" from direct_entry.entries
    where state = 'accepted' group by kind order by kind`;
}

/** Counts written files that the bank has not received. */
export async function countToLodge(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from direct_entry.files where lodged_at is null and withdrawn_at is null`;
  return row?.count ?? 0;
}

/** Another process was faster; the transaction is rolled back. */
class TakenByAnother extends Error {}

export async function countFiles(db: Db, kind: OrderKind, processOn: IsoDate): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) as count from direct_entry.files where kind = ${kind} and process_on = ${processOn}`;
  return row?.count ?? 0;
}

/**
 * Stores a file and its orders' positions in one step. Returns false, storing nothing, if its name or an order is
 * already taken.
 */
export async function keepFile(db: Pool, encryption: FieldEncryption, file: NewFile, at: Date): Promise<boolean> {
  const { name, kind, processOn, references, totalCents, contentHash, content } = file;
  try {
    await db.begin(async (tx) => {
      const kept = await tx`
        insert into direct_entry.files (name, kind, process_on, entries, total_cents, content_hash, content_encrypted, written_at)
        values (${name}, ${kind}, ${processOn}, ${references.length}, ${totalCents}, ${contentHash},
          ${encryption.encrypt(content, context(name))}, ${at})
        on conflict (name) do nothing`;
      const placed = await tx`
        update direct_entry.entries set state = 'written', file_name = ${name}
        where reference = any(${references}) and state = 'accepted'`;
      if (kept.count !== 1 || placed.count !== references.length) throw new TakenByAnother();
    });
    return true;
  } catch (error) {
    if (error instanceof TakenByAnother) return false;
    throw error;
  }
}

export async function findFile(db: Db, name: string): Promise<KeptFile | undefined> {
  const [file] = await db<KeptFile[]>`
    select name, content_hash as "contentHash", entries as items, process_on as "processOn", clears_on as "clearsOn",
      case when withdrawn_at is not null then 'withdrawn' when lodged_at is not null then 'lodged' else 'written' end as state
    from direct_entry.files where name = ${name}`;
  return file;
}

export interface ListedFile extends OrdersOfKind {
  name: string;
  state: 'written' | 'lodged' | 'cleared' | 'withdrawn';
  processOn: IsoDate;
  writtenAt: Date;
  lodgedAt: Date | null;
  clearsOn: IsoDate | null;
  withdrawnAt: Date | null;
}

const stateOfFile = (db: Db) => db`
  case when withdrawn_at is not null then 'withdrawn' when done_at is not null then 'cleared'
    when lodged_at is not null then 'lodged' else 'written' end`;

/** Lists a page of files after another, newest first. */
export async function listFiles(
  db: Db,
  page: { after?: string | undefined; state?: ListedFile['state'] | undefined; limit: number },
): Promise<ListedFile[]> {
  const { after = null, state = null, limit } = page;
  return db<ListedFile[]>`
    select name, kind, entries as orders, total_cents as "totalCents", ${stateOfFile(db)} as state,
      process_on as "processOn", written_at as "writtenAt", lodged_at as "lodgedAt", clears_on as "clearsOn",
      withdrawn_at as "withdrawnAt"
    from direct_entry.files
    where (${state}::text is null or ${stateOfFile(db)} = ${state}::text)
      and (${after}::text is null
        or (written_at, name) < (select seen.written_at, seen.name from direct_entry.files seen where seen.name = ${after}))
    order by written_at desc, name desc limit ${limit}`;
}

/** Finds a file's content, which is deleted once the file has cleared or is withdrawn. Throws BankFileProblem. */
export async function findContent(
  db: Db,
  encryption: FieldEncryption,
  name: string,
): Promise<(Pick<ListedFile, 'state'> & { content: string | undefined }) | undefined> {
  const [file] = await db<(Pick<ListedFile, 'state'> & { encrypted: Uint8Array | null })[]>`
    select ${stateOfFile(db)} as state, content_encrypted as encrypted from direct_entry.files where name = ${name}`;
  if (!file) return undefined;
  const content = file.encrypted ? readContent(encryption, name, file.encrypted) : undefined;
  return { state: file.state, content };
}

/** Yields files one by one, since they may be large. */
export async function* unlodgedFiles(
  db: Db,
  encryption: FieldEncryption,
): AsyncGenerator<{ name: string; content: string }> {
  for (let after = ''; ; ) {
    const [file] = await db<{ name: string; encrypted: Uint8Array }[]>`
      select name, content_encrypted as encrypted from direct_entry.files
      where lodged_at is null and withdrawn_at is null and done_at is null and name > ${after} order by name limit 1`;
    if (!file) return;
    yield { name: file.name, content: readContent(encryption, file.name, file.encrypted) };
    after = file.name;
  }
}

export async function listDoneFiles(db: Db, since: Date): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select name from direct_entry.files where done_at >= ${since} or withdrawn_at >= ${since} order by name`;
  return rows.map(({ name }) => name);
}

export async function lodgeFile(db: Db, name: string, clearsOn: IsoDate, at: Date): Promise<boolean> {
  const lodged = await db`
    update direct_entry.files set lodged_at = ${at}, clears_on = ${clearsOn}
    where name = ${name} and lodged_at is null and withdrawn_at is null`;
  return lodged.count === 1;
}

/** Removes a file's lodged mark, before any payment counts as cleared by it (docs/rules.md#clearing-without-news). */
export function unlodgeFile(
  db: Pool,
  name: string,
  { today, seen, balancingReference }: Parameters<DirectEntryBook['unlodgeFile']>[1],
): Promise<Unlodging> {
  return db.begin(async (tx) => {
    const file = await lockFile(tx, name);
    if (!file?.lodgedAt || !file.clearsOn) return 'not lodged';
    if (seen && seen.getTime() !== file.lodgedAt.getTime()) return 'lodged at another time';
    if (file.isDone || file.clearsOn <= today) return 'clears';
    if (await hasReturned(tx, file)) return 'returned';
    if (await isNamedOnStatement(tx, file, balancingReference)) return 'on statement';
    if (await hasTotalOnStatement(tx, file)) return 'on statement';
    await tx`update direct_entry.files set lodged_at = null, clears_on = null where name = ${name}`;
    return 'unlodged';
  });
}

/** Withdraws an unlodged file and makes its orders wait again, unless the bank's returns or statement name the file. */
export function withdrawFile(db: Pool, name: string, balancingReference: string, at: Date): Promise<Withdrawing> {
  return db.begin(async (tx) => {
    const file = await lockFile(tx, name);
    if (!file || file.isWithdrawn) return 'withdrawn before';
    if (file.lodgedAt) return 'lodged';
    if (await hasReturned(tx, file)) return 'returned';
    if (await isNamedOnStatement(tx, file, balancingReference)) return 'on statement';
    await tx`update direct_entry.files set withdrawn_at = ${at}, content_encrypted = null where name = ${name}`;
    await tx`
      update direct_entry.entries set state = 'accepted', file_name = null
      where file_name = ${name} and state = 'written'`;
    return 'withdrawn';
  });
}

/** Clears orders not returned in time, deleting their account numbers. */
export async function clearDue(db: Pool, day: IsoDate, at: Date): Promise<void> {
  await db.begin(async (tx) => {
    const done = await tx<{ name: string }[]>`
      update direct_entry.files set done_at = ${at}, content_encrypted = null
      where clears_on <= ${day} and done_at is null returning name`;
    if (done.length === 0) return;
    await tx`
      update direct_entry.entries set state = 'cleared', changed_at = ${at}, account_encrypted = null
      where file_name = any(${done.map(({ name }) => name)}) and state = 'written'`;
  });
}

type ReadReturns = Parameters<DirectEntryBook['keepReturns']>[0];

/**
 * Stores a return file, or the new lines of one that had problems and is read again. Returns its problems so far;
 * undefined for a file that was read without any.
 */
async function keepReturnsFile(tx: Db, { name, contentHash, problems }: ReadReturns, at: Date) {
  const kept = await tx`
    insert into direct_entry.returns_files (content_hash, name, returned, problems, read_at)
    values (${contentHash}, ${name}, 0, ${tx.json(problems)}, ${at})
    on conflict (content_hash) do nothing`;
  const [file] = await tx<{ problems: string[] }[]>`
    select problems from direct_entry.returns_files where content_hash = ${contentHash} for update`;
  const isNew = kept.count === 1;
  return isNew || (file?.problems.length ?? 0) > 0 ? { isNew, before: file?.problems ?? [] } : undefined;
}

/**
 * Applies returns, which may arrive at any later time, also for cleared orders; a return file counts once, except for
 * lines that had a problem. Files are locked before their orders, so that none is withdrawn or unmarked concurrently.
 */
export function keepReturns(
  db: Pool,
  file: ReadReturns,
  returned: { reference: string; code: ReturnCode }[],
  at: Date,
): Promise<boolean> {
  return db.begin(async (tx) => {
    const kept = await keepReturnsFile(tx, file, at);
    if (!kept) return false;
    await tx`
      select from direct_entry.files where name in (
        select file_name from direct_entry.entries where reference = any(${returned.map(({ reference }) => reference)}))
      order by name for no key update`;
    const { count } = await tx`
      update direct_entry.entries entry
      set state = 'returned', return_code = come_back.code, changed_at = ${at}, account_encrypted = null
      from unnest(${returned.map(({ reference }) => reference)}::text[], ${returned.map(({ code }) => code)}::int[])
        as come_back (reference, code)
      where entry.reference = come_back.reference and entry.state in ('written', 'cleared')`;
    // On a second reading, lines that this file has already returned are no problem.
    const left = file.problems.filter((each) => kept.before.includes(each) || !file.ofReturned.includes(each));
    await tx`
      update direct_entry.returns_files set returned = returned + ${count}, problems = ${tx.json(left)}
      where content_hash = ${file.contentHash}`;
    return kept.isNew || count > 0;
  });
}

export interface ListedReturns {
  contentHash: string;
  name: string;
  returned: number;
  problems: string[];
  readAt: Date;
}

/** Lists a page of return files after the one with that hash, newest first. */
export async function listReturns(
  db: Db,
  { after = null, limit }: { after?: string | null | undefined; limit: number },
): Promise<ListedReturns[]> {
  return db<ListedReturns[]>`
    select content_hash as "contentHash", name, returned, problems, read_at as "readAt" from direct_entry.returns_files
    where ${after}::text is null
      or (read_at, content_hash) <
        (select seen.read_at, seen.content_hash from direct_entry.returns_files seen where seen.content_hash = ${after})
    order by read_at desc, content_hash desc limit ${limit}`;
}
