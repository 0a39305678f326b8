import type { IsoDate } from '@sparechange/domain';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { queueEmail } from '#features/emails/queue-email.ts';
import { getOffboardingStatus } from '#features/ledger/pending-payments.ts';
import { type Clock, today } from '#ports/clock.ts';

export type PauseReason = 'supporter' | 'two returns';

/**
 * Stops recording at once; what is already submitted completes (docs/rules.md#pause). With a day it ends by itself on that day.
 * Pausing twice changes nothing but the day, where one is given.
 */
export async function pauseRoundUps(
  pool: Pool,
  clock: Clock,
  supporterId: string,
  reason: PauseReason,
  until?: IsoDate,
): Promise<void> {
  await pool.begin(async (tx) => {
    const hasChanged = await beginPause(tx, clock, supporterId, reason, until);
    if (hasChanged && reason === 'supporter') await confirmPause(tx, clock, supporterId, until);
  });
}

/** Begins a pause inside the transaction; returns whether anything changed. */
export async function beginPause(
  tx: Db,
  clock: Clock,
  supporterId: string,
  reason: PauseReason,
  until?: IsoDate,
): Promise<boolean> {
  const now = clock.now();
  const added = await tx`
    insert into pauses (supporter_id, paused_at, paused_on, reason, until)
    select ${supporterId}, ${now}, ${today(clock)}, ${reason}, ${until ?? null}::date
    where not exists (select from pauses where supporter_id = ${supporterId} and resumed_on is null)
    on conflict do nothing`;
  const changed =
    added.count === 0 && until
      ? await tx`
          update pauses set until = ${until}
          where supporter_id = ${supporterId} and resumed_on is null and until is distinct from ${until}::date
            and paused_on < ${until}::date`
      : added;
  if (changed.count === 0) return false;
  const actor = reason === 'supporter' ? 'supporter' : 'direct debit';
  await appendToAuditLog(tx, {
    supporterId,
    at: now,
    actor,
    action: 'paused round-ups',
    details: { reason, ...(until ? { until } : {}) },
  });
  return true;
}

/** Mails a confirmation once a day, however often they pause. */
async function confirmPause(tx: Db, clock: Clock, supporterId: string, until: IsoDate | undefined): Promise<void> {
  const { debits, donations, deposits, setAsideCents } = await getOffboardingStatus(tx, supporterId);
  const facts = { kind: 'paused_by_you', until: until ?? null, debits, donations, deposits, setAsideCents } as const;
  const key = ['paused by you', today(clock), ...(until ? ['until', until] : [])].join(' ');
  await queueEmail(tx, { supporterId, key, facts, at: clock.now() });
}

/** Resumes counting from today; recorded round-ups join the first run. */
export async function resumeRoundUps(pool: Pool, clock: Clock, supporterId: string): Promise<void> {
  await pool.begin(async (tx) => {
    const ended = await tx`
      update pauses set resumed_on = ${today(clock)} where supporter_id = ${supporterId} and resumed_on is null`;
    if (ended.count === 0) return;
    await appendToAuditLog(tx, { supporterId, at: clock.now(), actor: 'supporter', action: 'resumed round-ups' });
  });
}
