import { add, type Cents, type IsoDate, noCents } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import type { JournalDays } from '#features/accounting/journal/write-journal.ts';
import type { LedgerAccount, TransferKind } from '#features/core/ledger/post.ts';

export interface PackedPayout {
  paidOn: IsoDate;
  reference: string;
  state: string;
  cents: Cents;
  clubId: string;
  club: string;
}

/** Reads the payouts of some days, page by page. */
export const packedPayouts = (db: Db, { from, to }: JournalDays): AsyncGenerator<PackedPayout[]> =>
  db<PackedPayout[]>`
    select paid_on as "paidOn", reference, state, amount_cents as cents, club_id as "clubId", clubs.name as club
    from remittances join clubs on clubs.id = club_id
    where paid_on between ${from} and ${to} order by paid_on, reference`.cursor(2_000);

/** Sums the payouts of some days by state. */
export const payoutsByState = (db: Db, { from, to }: JournalDays) => db<{ state: string; cents: Cents }[]>`
  select state, sum(amount_cents)::bigint as cents from remittances
  where paid_on between ${from} and ${to} group by state order by state`;

export interface ReceiptTotals {
  firstDay: IsoDate;
  kind: 'month' | 'year';
  receipts: number;
  totalCents: Cents;
  deductibleCents: Cents;
}

/** Sums the receipts whose periods end within some days, over all buckets. */
export async function receiptTotals(db: Pool, { from, to }: JournalDays): Promise<ReceiptTotals[]> {
  const rows = await inEachBucket(
    db,
    (bucket) => bucket<ReceiptTotals[]>`
      select first_day as "firstDay", kind, count(*)::integer as receipts, sum(total_cents)::bigint as "totalCents",
        sum(deductible_cents)::bigint as "deductibleCents"
      from receipts where last_day between ${from} and ${to} group by 1, 2`,
  );
  const periods = new Map<string, ReceiptTotals>();
  for (const row of rows.flat()) {
    const key = `${row.firstDay} ${row.kind}`;
    const known = periods.get(key);
    periods.set(key, {
      ...row,
      receipts: row.receipts + (known?.receipts ?? 0),
      totalCents: add(row.totalCents, known?.totalCents ?? noCents),
      deductibleCents: add(row.deductibleCents, known?.deductibleCents ?? noCents),
    });
  }
  return [...periods.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

/** Sums one kind of entries of an account of supporters, over all buckets. */
export async function movedBySupporters(
  db: Pool,
  { from, to }: JournalDays,
  account: LedgerAccount,
  kinds: TransferKind[],
): Promise<Cents> {
  const sums = await inEachBucket(
    db,
    (bucket) => bucket<{ cents: Cents }[]>`
      select coalesce(sum(cents), 0)::bigint as cents from ledger_entries
      where account = ${account} and kind = any(${kinds}::transfer_kind[]) and booked_on between ${from} and ${to}`,
  );
  return add(...sums.flat().map(({ cents }) => cents));
}

/** Sums what arrived at clubs, less what came back later. */
export async function movedToClubs(db: Db, { from, to }: JournalDays): Promise<Cents> {
  const [row] = await db<{ cents: Cents }[]>`
    select coalesce(sum(cents), 0)::bigint as cents from club_entries
    where account = 'remitted' and booked_on between ${from} and ${to}`;
  return row?.cents ?? noCents;
}

/** Lists clubs with a payout of some days that was sent. */
export const listPaidClubs = (db: Db, { from, to }: JournalDays) => db<{ id: string; slug: string }[]>`
  select id, slug from clubs where id in (
    select club_id from remittances where paid_on between ${from} and ${to} and submitted_at is not null)
  order by slug`;
