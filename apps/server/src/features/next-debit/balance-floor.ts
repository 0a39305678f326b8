import type { BalanceFloor } from '@sparechange/domain';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';

/** Lets debits wait below this balance; 0 is off (packages/domain/src/low-balance.ts). */
export async function saveBalanceFloor(
  pool: Pool,
  clock: Clock,
  supporterId: string,
  floor: BalanceFloor,
): Promise<void> {
  await pool.begin(async (tx) => {
    await tx`update supporters set balance_floor_cents = ${floor} where supporter_id = ${supporterId}`;
    const details = { floor };
    const action = 'changed balance floor';
    await appendToAuditLog(tx, { supporterId, at: clock.now(), actor: 'supporter', action, details });
  });
}
