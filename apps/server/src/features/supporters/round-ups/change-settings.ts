import type { RoundUpStep, WeeklyLimit } from '@sparechange/domain';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';

/** Sets the round-up step; recorded round-ups stay unchanged (docs/rules.md#spare-change). */
export async function saveRoundUpStep(pool: Pool, clock: Clock, supporterId: string, step: RoundUpStep): Promise<void> {
  await pool.begin(async (tx) => {
    await tx`update supporters set round_up_step = ${step} where supporter_id = ${supporterId}`;
    const details = { step };
    await appendToAuditLog(tx, {
      supporterId,
      at: clock.now(),
      actor: 'supporter',
      action: 'changed round-up step',
      details,
    });
  });
}

/** Caps weekly round-ups from now on; 0 is off (docs/rules.md#weekly-limit). */
export async function saveWeeklyLimit(
  pool: Pool,
  clock: Clock,
  supporterId: string,
  limit: WeeklyLimit,
): Promise<void> {
  await pool.begin(async (tx) => {
    await tx`update supporters set weekly_limit_cents = ${limit} where supporter_id = ${supporterId}`;
    const details = { limit };
    await appendToAuditLog(tx, {
      supporterId,
      at: clock.now(),
      actor: 'supporter',
      action: 'changed weekly limit',
      details,
    });
  });
}
