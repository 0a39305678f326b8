import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import type { DirectEntryBook, OrderKind, Unlodging } from '#ports/direct-entry-book.ts';

interface LodgedFile {
  kind: OrderKind;
  totalCents: Cents;
  /** The bank books nothing of a file before it was written. */
  writtenOn: IsoDate;
  lodgedAt: Date | null;
  clearsOn: IsoDate | null;
  isDone: boolean;
}

/** Takes the mark as lodged off a file, before anything counts as cleared by it (docs/rules.md#clearing-without-news). */
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
    if (await hasReturned(tx, name)) return 'returned';
    if (await isOnStatement(tx, name, file, balancingReference)) return 'on statement';
    await tx`update direct_entry.files set lodged_at = null, clears_on = null where name = ${name}`;
    return 'unlodged';
  });
}

async function lockFile(tx: Db, name: string): Promise<LodgedFile | undefined> {
  const [file] = await tx<LodgedFile[]>`
    select kind, total_cents as "totalCents", (written_at at time zone 'Australia/Sydney')::date as "writtenOn",
      lodged_at as "lodgedAt", clears_on as "clearsOn", done_at is not null as "isDone"
    from direct_entry.files where name = ${name} for update`;
  return file;
}

async function hasReturned(tx: Db, name: string): Promise<boolean> {
  const [row] = await tx<{ returned: boolean }[]>`
    select exists (select from direct_entry.entries where file_name = ${name} and state = 'returned') as returned`;
  return row?.returned ?? false;
}

/** Returns true where a line names the file or an order of it, or has its total without naming any payment. */
async function isOnStatement(
  tx: Db,
  name: string,
  { kind, totalCents, writtenOn }: LodgedFile,
  balancingReference: string,
): Promise<boolean> {
  const [row] = await tx<{ found: boolean }[]>`
    select exists (
      select from bank_statement_lines line
      where booked_on >= ${writtenOn} and (
        upper(description) ~ ${`${balancingReference}(?!\\d)`}
        or reference in (select entry.reference from direct_entry.entries entry where file_name = ${name})
        or (reference is null and cents = case ${kind}::text when 'debit' then 1 else -1 end * ${totalCents}::bigint)
      )
    ) as found`;
  return row?.found ?? false;
}
