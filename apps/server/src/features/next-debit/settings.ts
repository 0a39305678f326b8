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

export interface DebitNoticeRequest {
  supporterId: string;
  isOn: boolean;
  /** Signed in, or by the signed link of a mail, which mail programs follow by themselves when asked to unsubscribe. */
  actor: 'supporter' | 'mailed link';
}

/** Wants the mail of the evening before each debit, or no longer does. Wanting it twice changes nothing. */
export async function setDebitNotices(pool: Pool, clock: Clock, request: DebitNoticeRequest): Promise<void> {
  const { supporterId, isOn, actor } = request;
  await pool.begin(async (tx) => {
    const changed = await tx`
      update supporters set debit_notices_enabled = ${isOn} where supporter_id = ${supporterId} and debit_notices_enabled <> ${isOn}`;
    if (changed.count === 0) return;
    const action = isOn ? 'switched on mails before debits' : 'switched off mails before debits';
    await appendToAuditLog(tx, { supporterId, at: clock.now(), actor, action });
  });
}
