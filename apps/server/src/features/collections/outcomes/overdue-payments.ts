import { addDays, type Cents, formatCents, type IsoDate, longDay, sydneyDay, sydneyTime } from '@sparechange/domain';
import { isBankingDay } from '@sparechange/domain/banking-calendar';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf } from '#db/in-each-bucket.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import type { PaymentTable } from '#features/core/submission/unanswered-payments.ts';
import { type Clock, today } from '#ports/clock.ts';

/** Banking days after which an operator has to ask; a payment usually ends after two or three. */
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

export interface OverduePayment {
  kind: 'debit' | 'deposit' | 'repayment' | 'remittance';
  reference: string;
  amount: Cents;
  submittedAt: Date;
}

/** Lists open debits and payouts submitted before, oldest first. */
export async function listOverdue(pool: Pool, before: Date, limit: number): Promise<OverduePayment[]> {
  const open = (db: Db, kind: OverduePayment['kind'], table: PaymentTable) => db`(
    select ${kind}::text as kind, reference, amount_cents as amount, submitted_at as "submittedAt" from ${db(table)}
    where state in ('submitting', 'submitted') and submitting_at < ${before} and state <> 'submitting' and submitted_at < ${before}
    order by submitting_at limit ${limit})`;
  const ofSupporters = await rowsOf(
    pool.inBuckets(),
    (bucket) => bucket<OverduePayment[]>`
      ${open(bucket, 'debit', 'debits')} union all ${open(bucket, 'deposit', 'deposits')}
      union all ${open(bucket, 'repayment', 'repayments')}`,
  );
  const ofClubs = await pool<OverduePayment[]>`${open(pool, 'remittance', 'remittances')}`;
  return [...ofSupporters, ...ofClubs]
    .sort((one, other) => one.submittedAt.getTime() - other.submittedAt.getTime())
    .slice(0, limit);
}

const maxAlarms = 20;

/** Describes an overdue payment in its alarm. */
const named = { debit: 'debit', deposit: 'savings deposit', repayment: 'refund', remittance: 'remittance' } as const;

/** Raises an alarm for each overdue payment, or one for all of them if there are many. */
export async function watchOverdue(deps: Pick<AlarmDeps, 'clock' | 'log'> & { db: Pool }): Promise<void> {
  const found = await listOverdue(deps.db, overdueBefore(deps.clock), maxAlarms + 1);
  for (const { kind, reference, amount, submittedAt } of found.slice(0, maxAlarms)) {
    const sentence = `The ${named[kind]} ${reference} of ${formatCents(amount)} was submitted on ${longDay(sydneyDay(submittedAt))} and has no outcome after ${overdueAfterBankingDays} banking days.`;
    const name = kind === 'debit' ? 'debit_overdue' : 'payout_overdue';
    await raiseAlarm(deps, { name, about: reference, sentence, see: { page: 'Payments', reference } });
  }
  if (found.length <= maxAlarms) return;
  const sentence = `More than ${maxAlarms} payments have no outcome after ${overdueAfterBankingDays} banking days. Ask the provider about them.`;
  await raiseAlarm(deps, {
    name: 'payments_overdue',
    about: today(deps.clock),
    sentence,
    see: { page: 'Payments', command: 'reconcile' },
  });
}
