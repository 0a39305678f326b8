import type { Db, Pool } from '#db/connect.ts';
import { noteInAuditLog } from '#features/operation/audit-log.ts';
import { type Clock, today } from '#ports/clock.ts';

export type PauseReason = 'supporter' | 'two returns';

/** Stops recording at once; what is already submitted completes (design 7.4). Pausing twice changes nothing. */
export async function pauseRoundUps(pool: Pool, clock: Clock, supporterId: string, reason: PauseReason): Promise<void> {
  await pool.begin((tx) => beginPause(tx, clock, supporterId, reason));
}

/** The same inside a transaction of the caller's. */
export async function beginPause(tx: Db, clock: Clock, supporterId: string, reason: PauseReason): Promise<void> {
  const now = clock.now();
  const added = await tx`
    insert into pauses (supporter_id, paused_at, paused_on, reason)
    select ${supporterId}, ${now}, ${today(clock)}, ${reason}
    where not exists (select from pauses where supporter_id = ${supporterId} and resumed_on is null)
    on conflict do nothing`;
  if (added.count === 0) return;
  const actor = reason === 'supporter' ? 'supporter' : 'timetable';
  await noteInAuditLog(tx, { supporterId, at: now, actor, action: 'paused round-ups', details: { reason } });
}

/** Purchases from today on count again; what had been recorded goes with the first run. */
export async function resumeRoundUps(pool: Pool, clock: Clock, supporterId: string): Promise<void> {
  await pool.begin(async (tx) => {
    const ended = await tx`
      update pauses set resumed_on = ${today(clock)} where supporter_id = ${supporterId} and resumed_on is null`;
    if (ended.count === 0) return;
    await noteInAuditLog(tx, { supporterId, at: clock.now(), actor: 'supporter', action: 'resumed round-ups' });
  });
}
