import type { Cents, IsoDate } from '@sparechange/domain';
import type { Part } from '#db/compose.ts';
import type { Db, Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { bookingDay } from '#features/core/ledger/booking-day.ts';
import type { Clock } from '#ports/clock.ts';
import { lockLines } from './statement-line-repository.ts';

export interface MatchedLines {
  matched: number;
  /** Unexplained lines; they stay in suspense. */
  open: number;
}

/** Days within which a bank books the provider's settlements. */
const maxDaysLater = 5;

/** Number of lines matched with payments in one batch. */
const pageSize = 5_000;

/**
 * Matches each open line with one payment, by reference, amount and day, or with the provider's settlement of a day.
 * Matched lines leave suspense.
 */
export async function matchOpenLines({ db, clock }: { db: Pool; clock: Clock }): Promise<MatchedLines> {
  let matched = 0;
  for (let page = await listOpenLines(db); page.length > 0; page = await listOpenLines(db, page.at(-1))) {
    const payments = (await inEachBucket(db, (bucket) => listPaymentsOfBucket(bucket, page))).flat();
    payments.push(...(await listRemittances(db, page)));
    if (payments.length > 0) matched += await matchInTurn(db, clock, (tx, now) => matchPayments(tx, payments, now));
  }
  matched += await matchInTurn(db, clock, matchSettlements);
  const [row] = await db<{ open: number }[]>`
    select count(*) as open from bank_statement_lines where matched_kind is null`;
  return { matched, open: row?.open ?? 0 };
}

/** Matches lines and books them out of suspense, one process after another. */
function matchInTurn(db: Pool, clock: Clock, match: (tx: Db, now: Date) => Promise<number>): Promise<number> {
  return db.begin(async (tx) => {
    await lockLines(tx);
    const now = clock.now();
    const matched = await match(tx, now);
    if (matched > 0) await bookMatched(tx, clock, now);
    return matched;
  });
}

interface OpenLine {
  account: string;
  lineId: string;
  bookedOn: IsoDate;
  cents: Cents;
  reference: string;
}

/** Lists open lines with a reference by day, those after the given one. */
function listOpenLines(db: Db, after?: OpenLine): Promise<OpenLine[]> {
  const isAfter = after
    ? db`(booked_on, line_id, account) > (${after.bookedOn}, ${after.lineId}, ${after.account})`
    : db`true`;
  return db<OpenLine[]>`
    select account, line_id as "lineId", booked_on as "bookedOn", cents, reference from bank_statement_lines
    where matched_kind is null and reference is not null and ${isAfter} order by booked_on, line_id, account limit ${pageSize}`;
}

/** A payment that may explain a line. */
interface ExplainingPayment {
  side: 'debit' | 'payout';
  reference: string;
  cents: Cents;
  state: string;
  plannedAt: Date;
}

const linesOf = (db: Db, lines: OpenLine[]) => db`
  line as materialized (
    select * from unnest(${lines.map(({ reference }) => reference)}::text[], ${lines.map(({ cents }) => cents)}::bigint[],
      ${lines.map(({ bookedOn }) => bookedOn)}::date[]) as line (reference, cents, booked_on)
  )`;

const explaining = (db: Db, side: ExplainingPayment['side']) => db`
  select ${side}::text as side, payment.reference, payment.amount_cents as cents, payment.state::text, payment.planned_at as "plannedAt"`;

const ofLine = (db: Db) => db`payment.reference = line.reference and payment.amount_cents = abs(line.cents)`;

const listPaymentsOfBucket = (bucket: Db, lines: OpenLine[]): Promise<ExplainingPayment[]> => bucket<
  ExplainingPayment[]
>`
  with ${linesOf(bucket, lines)}
  ${explaining(bucket, 'debit')} from line join debits payment on ${ofLine(bucket)} and payment.state in ('returned', 'reversed')
  union ${explaining(bucket, 'payout')} from line join deposits payment on ${ofLine(bucket)}
    and payment.planned_at >= line.booked_on - interval '60 days'
  union ${explaining(bucket, 'payout')} from line join repayments payment on ${ofLine(bucket)}`;

const listRemittances = (db: Db, lines: OpenLine[]): Promise<ExplainingPayment[]> => db<ExplainingPayment[]>`
  with ${linesOf(db, lines)} ${explaining(db, 'payout')} from line join remittances payment on ${ofLine(db)}`;

/**
 * Selects open lines with the payment that explains each. A line is not older than its payment's plan. The time of
 * submission is no bound: a lost answer is found after the provider has paid.
 */
export const selectExplained = (db: Db, payments: ExplainingPayment[]) => db`
  with payment as (
    select * from jsonb_to_recordset(${db.json(payments)})
      as payment (side text, reference text, cents bigint, state text, "plannedAt" timestamptz)
  )
  select distinct on (kind, reference) line.account, line.line_id, kind, reference
  from payment join bank_statement_lines line using (reference) cross join lateral (
    select case
      when side = 'debit' and line.cents < 0 then 'claim'
      when side = 'payout' and line.cents < 0 and state in ('submitted', 'cleared', 'returned', 'reversed') then 'payout'
      when side = 'payout' and line.cents > 0 and state in ('returned', 'reversed') then 'payout_returned'
    end as kind) as kind
  where matched_kind is null and payment.cents = abs(line.cents)
    and kind is not null and booked_on >= ("plannedAt" at time zone 'Australia/Sydney')::date
    and not exists (select from bank_statement_lines earlier
      where earlier.matched_kind <> 'by_hand' and earlier.matched_kind = kind.kind and earlier.matched_with = line.reference)
  order by kind, reference, booked_on, line_id`;

async function matchPayments(tx: Db, payments: ExplainingPayment[], now: Date): Promise<number> {
  const matched = await tx`
    update bank_statement_lines line set matched_kind = explained.kind, matched_with = explained.reference, matched_at = ${now}
    from (${selectExplained(tx, payments)}) as explained
    where line.account = explained.account and line.line_id = explained.line_id`;
  return matched.count;
}

interface Settlement {
  name: string;
  settledOn: IsoDate;
  cents: Cents;
}

/** Condition on an open line that a settlement may explain; an index finds it, however many lines are open. */
const isOfSettlement = (db: Db, { settledOn, cents }: { settledOn: Part; cents: Part }) => db`
  matched_kind is null and reference is null and line.cents = ${cents}
    and booked_on between ${settledOn} and ${settledOn} + ${maxDaysLater}::int`;

/** Selects settlements explaining no line yet that may explain one. */
export const selectSettlements = (db: Db) => db<Settlement[]>`
  select trim(settled_on::text || ' ' || batch) as name, settled_on as "settledOn", cents from provider_settlements settlement
  where not exists (select from bank_statement_lines line
      where matched_kind = 'settlement' and matched_with = trim(settled_on::text || ' ' || batch))
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
async function matchSettlements(tx: Db, now: Date): Promise<number> {
  let matched = 0;
  for (const settlement of await selectSettlements(tx)) {
    const [line] = await selectLine(tx, settlement);
    if (!line) continue;
    await tx`
      update bank_statement_lines set matched_kind = 'settlement', matched_with = ${settlement.name}, matched_at = ${now}
      where account = ${line.account} and line_id = ${line.lineId}`;
    matched += 1;
  }
  return matched;
}

/** Moves matched lines out of suspense: money the provider owed us, or that we paid through it. */
async function bookMatched(tx: Db, clock: Clock, now: Date): Promise<void> {
  const bookedOn = await bookingDay(tx, clock);
  await tx`
    insert into platform_entries (kind, source, account, cents, booked_on)
    select 'statement_line_matched', line.account || ' ' || line_id, leg.account, cents * leg.sign, ${bookedOn}
    from bank_statement_lines line
    cross join (values ('suspense'::platform_account, 1), ('provider_float', -1)) as leg (account, sign)
    where matched_kind <> 'by_hand' and matched_at = ${now}
    on conflict do nothing`;
}
