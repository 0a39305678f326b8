import { type Cents, type IsoDate, noCents, printableLine, total } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { giftsOfDays, listDaysPaidInMonth, type PaidDays } from '#features/core/ledger/club-adjustments.ts';
import { listOpenDays } from '#features/core/ledger/day-sums.ts';
import type { PayoutState } from '#features/core/payouts/payout-kind.ts';

export interface StatementClub {
  id: string;
  name: string;
  abn: string | null;
}

export async function findStatementClub(db: Db, clubId: string): Promise<StatementClub | undefined> {
  const [club] = await db<StatementClub[]>`select id, name, abn from clubs where id::text = lower(${clubId})`;
  return club;
}

export interface StatementRemittance {
  date: IsoDate;
  reference: string;
  state: PayoutState;
  cents: Cents;
  /** For a failed one: true if a later one paid it, else it is paid again from `retryOn`. */
  isRetried: boolean;
  retryOn: IsoDate | null;
}

/** Lists a month's remittances by payment day, failed ones included. */
export function listRemittances(db: Db, clubId: string, from: IsoDate, until: IsoDate): Promise<StatementRemittance[]> {
  return db<StatementRemittance[]>`
    select paid_on as date, reference, state, amount_cents as cents, retried_by is not null as "isRetried",
      retry_on as "retryOn"
    from remittances
    where club_id = ${clubId} and paid_on between ${from} and ${until} order by paid_on, id`;
}

export interface StatementLine {
  supporterId: string;
  supporter: string;
  roundUpCents: Cents;
  donationCents: Cents;
  /** Cleared before, and reversed by the bank or refunded; above zero only if a refund did not arrive. */
  takenBackCents: Cents;
  totalCents: Cents;
}

export interface StatementPage {
  /** Lines, by name, of the first supporters by id. */
  lines: StatementLine[];
  /** All supporters of the month. */
  supporters: number;
  /** The sum of all their lines. */
  cents: Cents;
}

/** Lists the first lines of a month, and counts and sums all of them without reading the others. */
export async function listFirstStatementLines(
  db: Db,
  clubId: string,
  { from, until, limit }: { from: IsoDate; until: IsoDate; limit: number },
): Promise<StatementPage> {
  const days = await listDaysPaidInMonth(db, clubId, from, until);
  const inBuckets = await inEachBucket(db, async (bucket) => {
    const [all] = await bucket<{ supporters: number; cents: Cents }[]>`
      select count(distinct entry.supporter_id)::int as supporters, coalesce(sum(-entry.cents), 0)::bigint as cents
      from ${giftsIn(bucket, clubId, days)}`;
    const first = await listFirstSupporters(bucket, clubId, days, limit);
    return { supporters: all?.supporters ?? 0, cents: all?.cents ?? noCents, first };
  });
  const first = inBuckets
    .flatMap((bucket) => bucket.first)
    .sort()
    .slice(0, limit);
  const lines = await inEachBucket(db, (bucket) => listLines(bucket, clubId, days, first));
  return {
    lines: named(lines.flat()),
    supporters: inBuckets.reduce((sum, { supporters }) => sum + supporters, 0),
    cents: total(inBuckets.map(({ cents }) => cents)),
  };
}

/** Selects a club's entries of paid days, as far as an index has them. */
const giftsIn = (bucket: Db, clubId: string, paidDays: PaidDays[]) => bucket`
  ledger_entries entry where entry.account = 'club_payable' and entry.club_id = ${clubId}
    and entry.booked_on <@ any(array(
      select daterange(first_day, last_day, '[]') from unnest(${paidDays.map(({ firstDay }) => firstDay)}::date[],
        ${paidDays.map(({ lastDay }) => lastDay)}::date[]) as paid (first_day, last_day)))`;

/** Steps from supporter to supporter, so that its cost depends on the lines listed, not on the club's size. */
async function listFirstSupporters(bucket: Db, clubId: string, days: PaidDays[], limit: number): Promise<string[]> {
  const next = (after: ReturnType<typeof giftsIn>) => bucket`
    select entry.supporter_id from ${giftsIn(bucket, clubId, days)} ${after} order by entry.supporter_id limit 1`;
  const rows = await bucket<{ supporterId: string }[]>`
    with recursive found (supporter_id) as (
      (${next(bucket``)})
      union all
      select following.supporter_id from found
      cross join lateral (${next(bucket`and entry.supporter_id > found.supporter_id`)}) following
    )
    select supporter_id as "supporterId" from found limit ${limit}`;
  return rows.map(({ supporterId }) => supporterId);
}

/**
 * Lists, supporter by supporter, the amounts paid by a month's remittances: the days they cover, and those of failed
 * remittances that they pay again. It is the club's part alone, never savings.
 */
export async function listStatementLines(
  db: Db,
  clubId: string,
  from: IsoDate,
  until: IsoDate,
): Promise<StatementLine[]> {
  const days = await listDaysPaidInMonth(db, clubId, from, until);
  const lines = await inEachBucket(db, (bucket) => listLines(bucket, clubId, days));
  return named(lines.flat());
}

/** Returns lines by name. */
const named = (lines: NamedLine[]): StatementLine[] =>
  lines.sort(byName).map(({ lastName, firstName, ...line }) => ({
    ...line,
    supporter: printableLine(lastName === null ? 'Former supporter' : `${firstName} ${lastName}`),
  }));

interface NamedLine extends Omit<StatementLine, 'supporter'> {
  firstName: string | null;
  lastName: string | null;
}

/** Orders by name, former supporters last. */
function byName(one: NamedLine, other: NamedLine): number {
  if (one.lastName === null || other.lastName === null)
    return Number(one.lastName === null) - Number(other.lastName === null);
  const byFirst = (one.firstName ?? '').localeCompare(other.firstName ?? '');
  return one.lastName.localeCompare(other.lastName) || byFirst || (one.supporterId < other.supporterId ? -1 : 1);
}

/** Lists the lines of all supporters, or of these. */
const listLines = (bucket: Db, clubId: string, paidDays: PaidDays[], of?: string[]): Promise<NamedLine[]> => bucket<
  NamedLine[]
>`
  with entry as (${giftsOfDays(bucket, clubId, paidDays)} ${of ? bucket`and entry.supporter_id = any(${of}::uuid[])` : bucket``})
  select entry.supporter_id as "supporterId", supporter.first_name as "firstName", supporter.last_name as "lastName",
    coalesce(sum(entry.cents) filter (where entry.kind = 'cleared' and debit_kind = 'round-up'), 0)::bigint as "roundUpCents",
    coalesce(sum(entry.cents) filter (where entry.kind = 'cleared' and debit_kind = 'donation'), 0)::bigint as "donationCents",
    coalesce(sum(entry.cents) filter (where entry.kind <> 'cleared'), 0)::bigint as "takenBackCents",
    sum(entry.cents)::bigint as "totalCents"
  from entry
  left join supporters supporter on supporter.supporter_id = entry.supporter_id
  group by entry.supporter_id, supporter.first_name, supporter.last_name`;

/** Returns the club's cents not yet sent, open days included. */
export async function payableCents(db: Db, clubId: string): Promise<Cents> {
  const [booked] = await db<{ cents: Cents; after: IsoDate | null }[]>`
    select coalesce((select cents from club_balances where club_id = ${clubId} and account = 'payable'), 0) as cents,
      rolled_up_until as after from closed_days`;
  const open = await inEachBucket(db, (bucket) => listOpenDays(bucket, booked?.after ?? null, clubId));
  return total([booked?.cents ?? noCents, ...open.flat().map(({ cents }) => cents)]);
}
