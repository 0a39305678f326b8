import type { IsoDate } from '@sparechange/domain';
import { canSkip } from '@sparechange/domain/skipped-debit';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { planningLock } from '#features/core/ledger/planning-lock.ts';
import type { Clock } from '#ports/clock.ts';

export interface SkipRequest {
  supporterId: string;
  run: IsoDate;
  isSkipped: boolean;
  /** Caller: signed in, or holding an email's signed link. */
  actor: 'supporter' | 'mailed link';
}

/**
 * Skips a run, or takes the skip back. Waiting round-ups go with the run after it. Returns 'too late' for any run but
 * the next one. Locks out planning, so that the answer holds: the run finds the skip, or has a debit already.
 */
export async function skipDebit(pool: Pool, clock: Clock, request: SkipRequest): Promise<'done' | 'too late'> {
  const { supporterId, run, isSkipped, actor } = request;
  return pool.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock_shared(hashtext(${planningLock(tx)}))`;
    const now = clock.now();
    if (!canSkip(run, now)) return 'too late';
    const [planned] = await tx`
      select 1 from debits where supporter_id = ${supporterId} and run_date = ${run} and kind = 'round-up'`;
    if (planned) return 'too late';
    const changed = isSkipped ? await saveSkip(tx, supporterId, run, now) : await deleteSkip(tx, supporterId, run);
    if (!changed) return 'done';
    const action = isSkipped ? 'skipped a debit' : 'no longer skips a debit';
    await appendToAuditLog(tx, { supporterId, at: now, actor, action, details: { run } });
    return 'done';
  });
}

/** Returns false if the run was skipped already. */
async function saveSkip(db: Db, supporterId: string, run: IsoDate, at: Date): Promise<boolean> {
  const saved = await db`
    insert into debit_skips (supporter_id, run_date, skipped_at) values (${supporterId}, ${run}, ${at})
    on conflict do nothing`;
  return saved.count === 1;
}

/** Returns false if the run was not skipped. */
async function deleteSkip(db: Db, supporterId: string, run: IsoDate): Promise<boolean> {
  const deleted = await db`delete from debit_skips where supporter_id = ${supporterId} and run_date = ${run}`;
  return deleted.count === 1;
}
