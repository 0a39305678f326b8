import type { IsoDate } from '@sparechange/domain';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { isDatabaseUnavailable } from '#db/database-answers.ts';
import { isOpenPause } from '#features/core/debiting/conditions.ts';
import type { OnFailure } from '#features/core/supporter-work/do-work.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { type Clock, today } from '#ports/clock.ts';

/**
 * Ends the pauses whose day has come, and notifies their supporters. Purchases from that day on count, even if the
 * process did not run on it. Supporters who have closed the account or withdrawn the consent get no email. A supporter
 * with a failure stays paused until the next day's run, without affecting others.
 */
export async function endPauses(
  { db, clock }: { db: Pool; clock: Clock },
  onFailure: OnFailure,
): Promise<{ resumed: number; failed: number }> {
  const due = await db<{ supporterId: string }[]>`
    select supporter_id as "supporterId" from pauses where ${isOpenPause(db)} and until <= ${today(clock)} order by 1`;
  const counts = { resumed: 0, failed: 0 };
  for (const { supporterId } of due) {
    try {
      if (await endPause(db, clock, supporterId)) counts.resumed += 1;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      onFailure(supporterId, error as Error);
      counts.failed += 1;
    }
  }
  return counts;
}

async function endPause(pool: Pool, clock: Clock, supporterId: string): Promise<boolean> {
  return pool.begin(async (tx) => {
    const at = clock.now();
    const [ended] = await tx<{ until: IsoDate }[]>`
      update pauses set resumed_on = until
      where supporter_id = ${supporterId} and ${isOpenPause(tx)} and until <= ${today(clock)} returning until`;
    if (!ended) return false;
    const details = { until: ended.until };
    await appendToAuditLog(tx, { supporterId, at, actor: 'timetable', action: 'resumed round-ups', details });
    const [reader] = await tx`
      select 1 from supporters where supporter_id = ${supporterId} and consent_active and closed_on is null`;
    if (!reader) return true;
    const facts = { kind: 'round_ups_resumed', on: ended.until } as const;
    await queueEmail(tx, { supporterId, key: `round-ups resumed ${ended.until}`, facts, at });
    return true;
  });
}
