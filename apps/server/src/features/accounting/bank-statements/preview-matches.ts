import type { IsoDate } from '@sparechange/domain';
import type { Part } from '#db/compose.ts';
import type { Db, Pool } from '#db/connect.ts';
import {
  explainsNone,
  isOfSettlement,
  nameOfSettlement,
  type OpenLines,
  readPaymentsOf,
  selectExplained,
} from './match-lines.ts';

/** Lines to book, a JSON array, as a table of open lines. */
const openLinesOf = (db: Db, account: string, page: string) => db`(
  select ${account}::text as account, "lineId" as line_id, "bookedOn" as booked_on, cents, reference, null::text as matched_kind
  from json_to_recordset(${page}::json) as written ("lineId" text, "bookedOn" date, cents bigint, reference text))`;

async function readValues(db: Db, page: string): Promise<OpenLines | undefined> {
  const [lines] = await db<OpenLines[]>`
    select array_agg(reference)::text as "references", array_agg(cents)::text as cents, array_agg("bookedOn")::text as days
    from json_to_recordset(${page}::json) as line ("bookedOn" date, cents bigint, reference text)
    where reference is not null having count(*) > 0`;
  return lines;
}

/** Lists lines that payments explain, with the payments; each of those explains one line. */
async function explainedByPayments(db: Pool, account: string, page: string) {
  const values = await readValues(db, page);
  const payments = values && (await readPaymentsOf(db, values));
  if (!payments) return [];
  return db<{ lineId: string; payment: string }[]>`
    select line_id as "lineId", kind || ' ' || reference as payment
    from (${selectExplained(db, payments, openLinesOf(db, account, page))}) as explained`;
}

/** A settlement and a line that it may explain. */
interface Pair {
  settlement: string;
  lineId: string;
  bookedOn: IsoDate;
  isNew: boolean;
}

/** More are lines of one amount in thousands, of which few can match. */
const maxPairs = 2_000;

/** Lists settlements that explain nothing yet with the lines that each may explain. */
async function pairsOf(db: Db, lines: Part, isNew: boolean): Promise<Pair[]> {
  const [settledOn, cents] = [db`settled_on`, db`settlement.cents`];
  const pairs = await db<Omit<Pair, 'isNew'>[]>`
    select ${nameOfSettlement(db)} as settlement, line_id as "lineId", booked_on as "bookedOn"
    from provider_settlements settlement join ${lines} line on ${isOfSettlement(db, { settledOn, cents })}
    where ${explainsNone(db)} order by settled_on, batch, booked_on, line_id limit ${maxPairs}`;
  return pairs.map((pair) => ({ ...pair, isNew }));
}

const placeOf = ({ settlement, bookedOn, lineId }: Pair): string => `${settlement}|${bookedOn}|${lineId}`;

/** Gives each settlement, in the order of days, the first line that is left for it; returns the new lines among them. */
export function pairInOrder(pairs: readonly Pair[]): Set<string> {
  const [settled, taken, found] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const pair of pairs.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))) {
    const line = `${pair.isNew} ${pair.lineId}`;
    if (settled.has(pair.settlement) || taken.has(line)) continue;
    settled.add(pair.settlement);
    taken.add(line);
    if (pair.isNew) found.add(pair.lineId);
  }
  return found;
}

/**
 * Returns the ids of lines to book that payments and settlements would explain straight away, as matchOpenLines does. `next`
 * returns pages of lines, as JSON arrays.
 */
export async function previewMatches(
  db: Pool,
  account: string,
  next: () => Promise<string | undefined>,
): Promise<Set<string>> {
  const byPayment = new Map<string, string>();
  const pairs: Pair[] = [];
  for (let page = await next(); page; page = await next()) {
    for (const { payment, lineId } of await explainedByPayments(db, account, page))
      if (!byPayment.has(payment)) byPayment.set(payment, lineId);
    if (pairs.length < maxPairs) pairs.push(...(await pairsOf(db, openLinesOf(db, account, page), true)));
  }
  if (pairs.length > 0) pairs.push(...(await pairsOf(db, db`bank_statement_lines`, false)));
  return new Set([...byPayment.values(), ...pairInOrder(pairs)]);
}
