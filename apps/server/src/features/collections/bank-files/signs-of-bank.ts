import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { OrderKind } from '#ports/direct-entry-book.ts';

/** A file whose row this transaction has locked. */
export interface LockedFile {
  name: string;
  kind: OrderKind;
  orders: number;
  totalCents: Cents;
  /** The bank books no payments of a file that is not yet written. */
  writtenOn: IsoDate;
  lodgedAt: Date | null;
  clearsOn: IsoDate | null;
  isDone: boolean;
  isWithdrawn: boolean;
}

/** Locks a file, so that returns of its orders have to wait. */
export async function lockFile(tx: Db, name: string): Promise<LockedFile | undefined> {
  const [file] = await tx<LockedFile[]>`
    select name, kind, entries as orders, total_cents as "totalCents",
      (written_at at time zone 'Australia/Sydney')::date as "writtenOn", lodged_at as "lodgedAt", clears_on as "clearsOn",
      done_at is not null as "isDone", withdrawn_at is not null as "isWithdrawn"
    from direct_entry.files where name = ${name} for update`;
  return file;
}

/** Returns true if an order of an unfinished file was returned, which proves that the bank has the file. */
export async function hasReturned(tx: Db, { name, orders }: LockedFile): Promise<boolean> {
  const [row] = await tx<{ written: number }[]>`
    select count(*)::int as written from direct_entry.entries where file_name = ${name} and state = 'written'`;
  return row?.written !== orders;
}

/** Returns true if a line of the bank statement names the file or one of its orders. */
export async function isNamedOnStatement(
  tx: Db,
  { name, writtenOn }: LockedFile,
  balancingReference: string,
): Promise<boolean> {
  const [row] = await tx<{ found: boolean }[]>`
    select exists (
      select from bank_statement_lines line
      where booked_on >= ${writtenOn} and (
        upper(description) ~ ${`${balancingReference}(?!\\d)`}
        or reference in (select entry.reference from direct_entry.entries entry where file_name = ${name} and state = 'written')
      )
    ) as found`;
  return row?.found ?? false;
}

/** Returns true if a line of the bank statement that names no payment has the file's total. */
export async function hasTotalOnStatement(tx: Db, { kind, totalCents, writtenOn }: LockedFile): Promise<boolean> {
  const [row] = await tx<{ found: boolean }[]>`
    select exists (
      select from bank_statement_lines where booked_on >= ${writtenOn} and reference is null
        and cents = case ${kind}::text when 'debit' then 1 else -1 end * ${totalCents}::bigint
    ) as found`;
  return row?.found ?? false;
}
