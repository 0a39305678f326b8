import { addDays, type Cents, formatCents, type IsoDate, sydneyTime, total } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { rowsOf } from '#db/in-each-bucket.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { today } from '#ports/clock.ts';

interface FailedDeposits {
  day: IsoDate;
  deposits: number;
  cents: Cents;
  /** One of the reasons. */
  failure: string;
}

/** Days during which failed deposits still raise an alarm. */
const newsForDays = 3;

/**
 * Raises an alarm for each day on which deposits failed through no fault of the savings account; of an account's fault
 * its supporter is emailed.
 */
export async function watchDeposits(deps: Pick<AlarmDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  const since = sydneyTime(addDays(today(deps.clock), -newsForDays), '00:00');
  const found = await rowsOf(
    deps.db.inBuckets(),
    (bucket) => bucket<FailedDeposits[]>`
      select (outcome_at at time zone 'Australia/Sydney')::date as day, count(*) as deposits,
        sum(amount_cents)::bigint as cents, min(coalesce(failure, 'code ' || return_code, 'no reason given')) as failure
      from deposits
      where state in ('returned', 'reversed', 'refused') and outcome_at >= ${since} and retry_on is not null
      group by day order by day`,
  );
  for (const [day, parts] of Map.groupBy(found, (part) => part.day)) {
    const number = parts.reduce((sum, { deposits }) => sum + deposits, 0);
    const sentence = `${counted(number, 'savings deposit')} of ${formatCents(total(parts.map(({ cents }) => cents)))} failed so far on ${day} (${parts[0]?.failure}). They are retried after 1, 2, then every 4 banking days; deposits of the month not yet submitted go with the next savings run.`;
    await raiseAlarm(deps, { name: 'deposits_failed', about: day, sentence, see: { page: 'Payments' } });
  }
}
