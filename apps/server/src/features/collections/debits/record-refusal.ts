import { sumOfCounts } from '@sparechange/domain/counts';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf } from '#db/in-each-bucket.ts';
import { lockAgainstPlanning } from '#features/core/ledger/planning-lock.ts';
import { legsOf, postTransfer } from '#features/core/ledger/post.ts';
import type { Refusal } from '#features/core/submission/payment-kind.ts';
import { mailRefusedDonation } from '#features/correspondence/emails/queue-debit-emails.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { RefusalCause } from '#ports/direct-debit.ts';
import { type Debit, moveDebit } from './debit-repository.ts';
import { recordCancelledMandate } from './record-cancelled-mandate.ts';

export type Refusals = Partial<Record<RefusalCause, number>>;

/**
 * Records that the provider refused a debit, or we gave it up, and the consequences of the cause: a missing mandate
 * makes the account unusable. Returns false if it was recorded before.
 */
export async function recordRefusal(
  tx: Db,
  clock: Clock,
  debit: Debit,
  { cause, reason, decidedBy }: Refusal,
): Promise<boolean> {
  const { supporterId, id: source, clubId } = debit;
  const at = clock.now();
  if (cause === 'mandate_cancelled') await lockAgainstPlanning(tx); // before any debit is locked
  const facts = { at, refusal: reason, ...(cause ? { refusalCause: cause } : {}) };
  if (!(await moveDebit(tx, debit, ['submitting'], 'refused', facts))) return false;
  const transfer = { supporterId, source, clubId, bookedOn: today(clock) };
  await postTransfer(tx, { ...transfer, kind: 'refused', legs: legsOf.refused(debit) });
  const details = { debit: source, cause: cause ?? 'given_up' };
  await appendToAuditLog(tx, {
    supporterId,
    at,
    actor: decidedBy ?? 'direct debit',
    action: 'debit refused',
    details,
  });
  if (debit.kind === 'donation') await mailRefusedDonation(tx, at, debit);
  if (cause === 'mandate_cancelled')
    await recordCancelledMandate(tx, clock, { supporterId, id: debit.mandateId }, 'refusal');
  return true;
}

/** One run's refusals and its number of debits. */
export interface RefusedRun {
  date: string;
  refused: number;
  debits: number;
  causes: Refusals;
}

/** Returns how many debits were planned, by run day. */
export async function countOfRuns(db: Db, days: string[]): Promise<Map<string, number>> {
  const runs = await db<{ date: string; debits: number }[]>`
    select run_date as date, debits::int from debit_runs where run_date = any(${days})`;
  return new Map(runs.map(({ date, debits }) => [date, debits]));
}

/** Lists the provider's refusals by run since a day, newest first, at most 31 days of them. */
export async function listRefusedRuns(pool: Pool, since: string): Promise<RefusedRun[]> {
  const found = await rowsOf(
    pool.inBuckets(),
    (bucket) => bucket<{ date: string; cause: RefusalCause; count: number }[]>`
      select run_date as date, refusal_cause as cause, count(*)::int as count from debits
      where refusal_cause is not null and run_date >= ${since} group by run_date, refusal_cause`,
  );
  const byRun = Map.groupBy(found, ({ date }) => date);
  const debitsOf = await countOfRuns(pool, [...byRun.keys()]);
  const refusedRuns = [...byRun].map(([date, counts]) => {
    const refused = counts.reduce((sum, { count }) => sum + count, 0);
    const causes = sumOfCounts(counts.map(({ cause, count }) => [cause, count]));
    return { date, refused, debits: Math.max(debitsOf.get(date) ?? 0, refused), causes };
  });
  return refusedRuns.sort((one, other) => other.date.localeCompare(one.date)).slice(0, 31);
}

/** Refusals beyond this number or share raise an alarm. */
const maxRefusals = 20;
const maxRefusedShare = 0.01;

export const isAlarming = ({ refused, debits }: Pick<RefusedRun, 'refused' | 'debits'>): boolean =>
  refused > maxRefusals || refused > debits * maxRefusedShare;

/** Formats the causes: "12 mandate cancelled, 1 other". */
export const causesInWords = (causes: Refusals): string =>
  Object.entries(causes)
    .map(([cause, count]) => `${count} ${cause.replaceAll('_', ' ')}`)
    .join(', ');
