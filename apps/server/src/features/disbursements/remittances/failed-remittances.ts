import { type Cents, formatCents, type IsoDate, noCents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';

/** A remittance that failed and was not paid again yet. */
export interface FailedRemittance {
  id: string;
  clubId: string;
  club: string;
  cents: Cents;
  failedOn: IsoDate;
  failure: string;
  /** First banking day to retry; null until bank details change. */
  retryOn: IsoDate | null;
}

const maxListed = 200;

export const isUnpaid = (db: Db) => db`state in ('returned', 'reversed', 'refused') and retried_by is null`;

/**
 * Holds for a remittance `lost` of a `club` whose bank details have changed since: it is paid again with the next run.
 */
export const hasNewDetails = (db: Db) =>
  db`lost.account_number_encrypted is distinct from club.account_number_encrypted`;

/** Lists failed remittances, latest first, at most `maxListed`, that a condition on the row `lost` selects. */
export function listFailedRemittances(db: Db, isListed = db`true`): Promise<FailedRemittance[]> {
  return db<FailedRemittance[]>`
    select lost.id, lost.club_id as "clubId", club.name as club, lost.amount_cents as cents,
      (lost.outcome_at at time zone 'Australia/Sydney')::date as "failedOn",
      coalesce(lost.failure, 'code ' || lost.return_code, 'no reason given') as failure, lost.retry_on as "retryOn"
    from remittances lost join clubs club on club.id = lost.club_id
    where ${isUnpaid(db)} and ${isListed}
    order by lost.outcome_at desc, lost.id limit ${maxListed}`;
}

/** Sums failed remittances. */
export async function sumFailedRemittances(db: Db): Promise<{ payouts: number; cents: Cents }> {
  const [sum] = await db<{ payouts: number; cents: Cents }[]>`
    select count(*)::int as payouts, coalesce(sum(amount_cents), 0)::bigint as cents from remittances where ${isUnpaid(db)}`;
  return sum ?? { payouts: 0, cents: noCents };
}

/** Returns the next step, for an operator or a treasurer. */
export const whatFollows = ({ retryOn }: Pick<FailedRemittance, 'retryOn'>): string =>
  retryOn ? `will be retried on ${retryOn}` : 'waits for new bank details';

/** Raises one alarm for each failed remittance: of very many, at most `maxListed` each time, until none is left. */
export async function watchRemittances(deps: Pick<AlarmDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  const { db } = deps;
  const isNews = db`not exists (select from alarms where name = 'remittance_failed' and about = lost.id::text)`;
  for (const failed of await listFailedRemittances(db, isNews)) {
    const { id, club, cents: amount, failedOn, failure } = failed;
    const sentence = `The remittance of ${formatCents(amount)} to ${club} failed on ${failedOn} (${failure}); it ${whatFollows(failed)}.`;
    await raiseAlarm(deps, { name: 'remittance_failed', about: id, sentence, see: { page: 'Payments' } });
  }
}

/** Lets all failed payments of a club be made again with the next run, to its present details. */
export async function retryRemittances(db: Db, club: string, day: IsoDate): Promise<{ club: string; retried: number }> {
  const [found] = await db<{ id: string; name: string }[]>`
    select id, name from clubs where id::text = lower(${club}) or slug = ${club}`;
  if (!found) throw new NotFound(`The club ${club}`);
  const retried = await db`
    update remittances set retry_on = ${day}
    where club_id = ${found.id} and ${isUnpaid(db)}`;
  return { club: found.name, retried: retried.count };
}
