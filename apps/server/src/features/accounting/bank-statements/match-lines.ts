import type { Cents, IsoDate } from '@sparechange/domain';
import type { Part } from '#db/compose.ts';
import type { Db, Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { bookingDay } from '#features/core/ledger/booking-day.ts';
import type { Clock } from '#ports/clock.ts';
import { lockLines, planForPages } from './statement-line-repository.ts';

export interface MatchedLines {
  matched: number;
  /** Unexplained lines; they stay in suspense. */
  open: number;
}

/** Days within which a bank books the provider's settlements. */
export const maxDaysLater = 5;

/** Number of lines matched with payments in one batch. A larger one holds up the calls that this thread answers. */
const pageSize = 2_000;

/**
 * Matches each open line with one payment, by reference, amount and day, or with the provider's settlement of a day.
 * Matched lines leave suspense. Pages of lines and payments pass through here as text, which PostgreSQL writes and
 * reads, so that a page of thousands takes none of this thread's time.
 */
export async function matchOpenLines(
  { db, clock }: { db: Pool; clock: Clock },
  noteTried: (lines: number) => Promise<void> = async () => {},
): Promise<MatchedLines> {
  let [matched, tried] = [0, 0];
  for (let page = await readOpenPage(db); page; page = await readOpenPage(db, page)) {
    const payments = await readPaymentsOf(db, page.lines);
    if (payments) matched += await matchInTurn(db, clock, (tx, at) => matchPayments(tx, page.keys, payments, at));
    tried += page.count;
    await noteTried(tried);
  }
  matched += await matchInTurn(db, clock, matchSettlements);
  const [row] = await db<{ open: number }[]>`
    select count(*) as open from bank_statement_lines where matched_kind is null`;
  return { matched, open: row?.open ?? 0 };
}

/** The time of a match, and the day on which it is booked. */
interface MatchTime {
  now: Date;
  bookedOn: IsoDate;
}

/** Matches lines and books them out of suspense, one process after another. */
function matchInTurn(db: Pool, clock: Clock, match: (tx: Db, at: MatchTime) => Promise<number>): Promise<number> {
  return db.begin(async (tx) => {
    await lockLines(tx);
    await planForPages(tx);
    return match(tx, { now: clock.now(), bookedOn: await bookingDay(tx, clock) });
  });
}

/** Values of open lines, each an array in PostgreSQL's own notation. */
export interface OpenLines {
  references: string;
  cents: string;
  days: string;
}

/** Keys of open lines, likewise. */
interface KeysOfLines {
  accounts: string;
  ids: string;
}

interface OpenPage {
  count: number;
  lines: OpenLines;
  keys: KeysOfLines;
  /** Position of its last line. */
  lastDay: IsoDate;
  lastId: string;
  lastAccount: string;
}

/** Reads a page of open lines with a reference by day, after the given one; undefined if there are none. */
async function readOpenPage(db: Db, after?: OpenPage): Promise<OpenPage | undefined> {
  const isAfter = after
    ? db`(booked_on, line_id, account) > (${after.lastDay}, ${after.lastId}, ${after.lastAccount})`
    : db`true`;
  const [page] = await db<(Omit<OpenPage, 'lines' | 'keys'> & OpenLines & KeysOfLines)[]>`
    with line as materialized (
      select account, line_id, booked_on, cents, reference from bank_statement_lines
      where matched_kind is null and reference is not null and ${isAfter} order by booked_on, line_id, account limit ${pageSize}
    ), kept as (
      select count(*) as count, array_agg(reference)::text as "references", array_agg(cents)::text as cents,
        array_agg(booked_on)::text as days, array_agg(account)::text as accounts, array_agg(line_id)::text as ids from line
    )
    select kept.*, last.booked_on as "lastDay", last.line_id as "lastId", last.account as "lastAccount"
    from kept cross join lateral (select * from line order by booked_on desc, line_id desc, account desc limit 1) as last`;
  return page && { ...page, lines: page, keys: page };
}

/**
 * Selects lines by their keys. Without `offset 0` the planner would look for them among all open ones, which it believes to
 * be few: it has not seen those of this import yet.
 */
export const linesOfPage = (db: Db, { accounts, ids }: KeysOfLines) => db`(
  select line.* from unnest(${accounts}::text[], ${ids}::text[]) as key (account, line_id)
    join bank_statement_lines line using (account, line_id) offset 0)`;

/** A payment that may explain a line, as it is read from text. */
export interface ExplainingPayment {
  side: 'debit' | 'payout';
  reference: string;
  cents: Cents;
  state: string;
  plannedAt: Date;
}

const linesOf = (db: Db, { references, cents, days }: OpenLines) => db`
  line as materialized (
    select * from unnest(${references}::text[], ${cents}::bigint[], ${days}::date[]) as line (reference, cents, booked_on)
  )`;

const explaining = (db: Db, side: ExplainingPayment['side']) => db`
  select ${side}::text as side, payment.reference, payment.amount_cents as cents, payment.state::text, payment.planned_at as "plannedAt"`;

const ofLine = (db: Db) => db`payment.reference = line.reference and payment.amount_cents = abs(line.cents)`;

/** Payments as one JSON array, in text. */
type PaymentsText = { payments: string }[];

async function readPayments(db: Db, lines: OpenLines, payments: Part): Promise<string[]> {
  const rows = await db<PaymentsText>`
    with ${linesOf(db, lines)} select json_agg(found)::text as payments from (${payments}) as found having count(*) > 0`;
  return rows.map((row) => row.payments);
}

const readPaymentsOfBucket = (bucket: Db, lines: OpenLines): Promise<string[]> =>
  readPayments(
    bucket,
    lines,
    bucket`
  ${explaining(bucket, 'debit')} from line join debits payment on ${ofLine(bucket)}
    and payment.state in ('cleared', 'returned', 'reversed')
  union ${explaining(bucket, 'payout')} from line join deposits payment on ${ofLine(bucket)}
    and payment.planned_at >= line.booked_on - interval '60 days'
  union ${explaining(bucket, 'payout')} from line join repayments payment on ${ofLine(bucket)}`,
  );

/** Reads the payments that may explain lines, of every bucket, as one JSON array; undefined if there are none. */
export async function readPaymentsOf(db: Pool, lines: OpenLines): Promise<string | undefined> {
  const ofBuckets = await inEachBucket(db, (bucket) => readPaymentsOfBucket(bucket, lines));
  const arrays = [...ofBuckets.flat(), ...(await readRemittances(db, lines))];
  return arrays.length === 0 ? undefined : `[${arrays.map((array) => array.slice(1, -1)).join(',')}]`;
}

const readRemittances = (db: Db, lines: OpenLines): Promise<string[]> =>
  readPayments(db, lines, db`${explaining(db, 'payout')} from line join remittances payment on ${ofLine(db)}`);

/**
 * Selects open lines with the payment that explains each. A line is not older than its payment's plan. The time of
 * submission is no bound: a lost answer is found after the provider has paid.
 */
export const selectExplained = (db: Db, payments: string, lines: Part) => db`
  with payment as (
    select * from jsonb_to_recordset(${payments}::jsonb)
      as payment (side text, reference text, cents bigint, state text, "plannedAt" timestamptz)
  )
  select distinct on (kind, reference) line.account, line.line_id, kind, reference
  from payment join ${lines} line using (reference) cross join lateral (
    select case
      when side = 'debit' and line.cents > 0 then 'collection'
      when side = 'debit' and line.cents < 0 and state in ('returned', 'reversed') then 'claim'
      when side = 'payout' and line.cents < 0 and state in ('submitted', 'cleared', 'returned', 'reversed') then 'payout'
      when side = 'payout' and line.cents > 0 and state in ('returned', 'reversed') then 'payout_returned'
    end as kind) as kind
  where matched_kind is null and payment.cents = abs(line.cents)
    and kind is not null and booked_on >= ("plannedAt" at time zone 'Australia/Sydney')::date
    and not exists (select from bank_statement_lines earlier
      where earlier.matched_kind <> 'by_hand' and earlier.matched_kind = kind.kind and earlier.matched_with = line.reference)
  order by kind, reference, booked_on, line_id`;

const matchPayments = (tx: Db, keys: KeysOfLines, payments: string, at: MatchTime): Promise<number> =>
  matchAndBook(
    tx,
    at,
    tx`
    update bank_statement_lines line set matched_kind = explained.kind, matched_with = explained.reference, matched_at = ${at.now}
    from (${selectExplained(tx, payments, linesOfPage(tx, keys))}) as explained
    where line.account = explained.account and line.line_id = explained.line_id`,
  );

interface Settlement {
  name: string;
  settledOn: IsoDate;
  cents: Cents;
}

/** Condition on an open line that a settlement may explain; an index finds it, however many lines are open. */
export const isOfSettlement = (db: Db, { settledOn, cents }: { settledOn: Part; cents: Part }) => db`
  matched_kind is null and reference is null and line.cents = ${cents}
    and booked_on between ${settledOn} and ${settledOn} + ${maxDaysLater}::int`;

/** Name of a settlement, by which lines are matched with it: its day, and its batch if there are several. */
export const nameOfSettlement = (db: Db) => db`trim(settled_on::text || ' ' || batch)`;

/** Condition on a settlement that it explains no line yet. */
export const explainsNone = (db: Db) => db`not exists (select from bank_statement_lines line
      where matched_kind = 'settlement' and matched_with = ${nameOfSettlement(db)})`;

/** Selects settlements explaining no line yet that may explain one. */
export const selectSettlements = (db: Db) => db<Settlement[]>`
  select ${nameOfSettlement(db)} as name, settled_on as "settledOn", cents from provider_settlements settlement
  where ${explainsNone(db)}
    and exists (select from bank_statement_lines line
      where ${isOfSettlement(db, { settledOn: db`settlement.settled_on`, cents: db`settlement.cents` })})
  order by settled_on, batch`;

/** Selects the first open line that a settlement explains. */
export const selectLine = (db: Db, { settledOn, cents }: Pick<Settlement, 'settledOn' | 'cents'>) => db<
  { account: string; lineId: string }[]
>`
  select account, line_id as "lineId" from bank_statement_lines line
  where ${isOfSettlement(db, { settledOn: db`${settledOn}::date`, cents: db`${cents}::bigint` })}
  order by booked_on, line_id limit 1`;

/** Pairs settlements and lines of one amount in day order. */
async function matchSettlements(tx: Db, at: MatchTime): Promise<number> {
  let matched = 0;
  for (const settlement of await selectSettlements(tx)) {
    const [found] = await selectLine(tx, settlement);
    if (!found) continue;
    matched += await matchAndBook(
      tx,
      at,
      tx`
      update bank_statement_lines line set matched_kind = 'settlement', matched_with = ${settlement.name}, matched_at = ${at.now}
      where account = ${found.account} and line_id = ${found.lineId}`,
    );
  }
  return matched;
}

/** Moves the lines of an update out of suspense: money the provider owed us, or that we paid through it. */
async function matchAndBook(tx: Db, { bookedOn }: MatchTime, update: Part): Promise<number> {
  const [row] = await tx<{ matched: number }[]>`
    with matched as (${update} returning line.cents, coalesce(booked_as, line.account || ' ' || line.line_id) as source), booked as (
      insert into platform_entries (kind, source, account, cents, booked_on)
      select 'statement_line_matched', source, leg.account, cents * leg.sign, ${bookedOn}
      from matched cross join (values ('suspense'::platform_account, 1), ('provider_float', -1)) as leg (account, sign)
      on conflict do nothing
    )
    select count(*) as matched from matched`;
  return row?.matched ?? 0;
}
