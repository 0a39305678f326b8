import type { Money } from '@sparechange/contract/console';
import {
  addDays,
  type Cents,
  type IsoDate,
  monthStart,
  subtract,
  sydneyTime,
  total,
  weekStart,
} from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf } from '#db/in-each-bucket.ts';

/** Payments of a day with one way and state. */
interface Moved {
  way: 'in' | 'out';
  state: 'cleared' | 'returned' | 'reversed';
  day: IsoDate;
  payments: number;
  cents: Cents;
}

const weeksShown = 6;

const sums = (db: Db) => db`
  (planned_at at time zone 'Australia/Sydney')::date as day, count(*) as payments, sum(amount_cents)::bigint as cents`;

const ofSupporters = (db: Db, since: Date) => db<Moved[]>`
  select 'in' as way, state, ${sums(db)} from debits
  where planned_at >= ${since} and state in ('cleared', 'returned', 'reversed') group by state, day
  union all
  select 'out', 'cleared', ${sums(db)} from deposits where planned_at >= ${since} and state = 'cleared' group by day
  union all
  select 'out', 'cleared', ${sums(db)} from repayments where planned_at >= ${since} and state = 'cleared' group by day`;

const ofClubs = (db: Db, since: Date) => db<Moved[]>`
  select 'out' as way, 'cleared' as state, ${sums(db)} from remittances
  where planned_at >= ${since} and state = 'cleared' group by day`;

/** Sums the money of a day's month and of six weeks up to it, by the days on which payments were planned. */
export async function sumMoney(pool: Pool, day: IsoDate): Promise<Omit<Money, 'silentServers'>> {
  const mondays = Array.from({ length: weeksShown }, (_, at) => addDays(weekStart(day), 7 * (at + 1 - weeksShown)));
  const [firstMonday = day] = mondays; // before the month begins: five weeks are longer than one
  const since = sydneyTime(firstMonday, '00:00');
  const rows = [
    ...(await ofClubs(pool, since)),
    ...(await rowsOf(pool.inBuckets(), (bucket) => ofSupporters(bucket, since))),
  ].filter((row) => row.day <= day);
  const cleared = (way: Moved['way'], from: IsoDate, to: IsoDate) =>
    total(
      rows
        .filter((row) => row.way === way && row.state === 'cleared' && row.day >= from && row.day <= to)
        .map(({ cents }) => cents),
    );
  const moved = (from: IsoDate, to: IsoDate) => ({
    collectedCents: cleared('in', from, to),
    paidOutCents: cleared('out', from, to),
  });
  const month = { from: monthStart(day), to: day, ...moved(monthStart(day), day) };
  const asked = rows.filter(({ way }) => way === 'in');
  const cameBack = asked.filter(({ state }) => state !== 'cleared');
  const count = (of: Moved[]) => of.reduce((sum, { payments }) => sum + payments, 0);
  return {
    month: { ...month, heldCents: subtract(month.collectedCents, month.paidOutCents) },
    weeks: mondays.map((from) => ({ from, ...moved(from, addDays(from, 6)) })),
    returned: { debits: count(cameBack), cents: total(cameBack.map(({ cents }) => cents)), ofDebits: count(asked) },
  };
}
