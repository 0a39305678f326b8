import { addDays, type Cents, formatCents, type IsoDate, sydneyTime } from '@sparechange/domain';
import { isBankingDay } from '@sparechange/domain/banking-calendar';
import type { Pool } from '#db/connect.ts';
import { rowsOf } from '#db/in-each-bucket.ts';
import { type AlarmDeps, raiseAlarm } from '#features/alarms/alarms.ts';
import { type Clock, today } from '#ports/clock.ts';

/** A debit has come to its end after two or three banking days; after so many an operator has to ask. */
const overdueAfterBankingDays = 5;

/** Returns the submission time before which open payments are overdue. */
export function overdueBefore(clock: Clock): Date {
  let day: IsoDate = today(clock);
  for (let left = overdueAfterBankingDays; left > 0; ) {
    day = addDays(day, -1);
    if (isBankingDay(day)) left -= 1;
  }
  return sydneyTime(day, '00:00');
}

export interface OverdueDebit {
  id: string;
  reference: string;
  providerRef: string;
  amount: Cents;
  submittedAt: Date;
}

/** Lists open debits submitted before then, the oldest first. */
export async function listOverdue(pool: Pool, before: Date, limit: number): Promise<OverdueDebit[]> {
  const overdue = await rowsOf(
    pool.inBuckets(),
    (bucket) => bucket<OverdueDebit[]>`
      select id, reference, provider_ref as "providerRef", amount_cents as amount, submitted_at as "submittedAt" from debits
      where state in ('submitting', 'submitted') and submitting_at < ${before} and state <> 'submitting' and submitted_at < ${before}
      order by submitting_at limit ${limit}`,
  );
  return overdue.sort((one, other) => one.submittedAt.getTime() - other.submittedAt.getTime()).slice(0, limit);
}

const maxAlarms = 20;

/** Raises an alarm for each debit that is overdue, and one for all of them where they are many. */
export async function watchOverdue(deps: Pick<AlarmDeps, 'clock' | 'log'> & { db: Pool }): Promise<void> {
  const found = await listOverdue(deps.db, overdueBefore(deps.clock), maxAlarms + 1);
  for (const { reference, amount, submittedAt } of found.slice(0, maxAlarms)) {
    const sentence = `The debit ${reference} of ${formatCents(amount)} was submitted on ${submittedAt.toISOString()} and has no outcome after ${overdueAfterBankingDays} banking days. See Payments in the console, or: npm run -s ops -- payment show ${reference}`;
    await raiseAlarm(deps, { name: 'debit_overdue', about: reference, sentence });
  }
  if (found.length <= maxAlarms) return;
  const sentence = `More than ${maxAlarms} debits have no outcome after ${overdueAfterBankingDays} banking days. Ask the provider what became of them.`;
  await raiseAlarm(deps, { name: 'debits_overdue', about: today(deps.clock), sentence });
}
