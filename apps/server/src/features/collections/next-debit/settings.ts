import type { DebitNotices } from '@sparechange/contract';
import type { BalanceFloor } from '@sparechange/domain';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
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
  debitNotices: DebitNotices;
  /**
   * Caller: signed in, or holding the signed link of an email, which mail clients follow automatically to unsubscribe.
   */
  actor: 'supporter' | 'mailed link';
}

/**
 * Sets when a supporter is emailed about debits, which then no longer depends on their amounts; setting it twice
 * changes nothing.
 */
export async function setDebitNotices(pool: Pool, clock: Clock, request: DebitNoticeRequest): Promise<void> {
  const { supporterId, debitNotices, actor } = request;
  const isOn = debitNotices !== 'never';
  const frequency = isOn ? debitNotices : null;
  await pool.begin(async (tx) => {
    const changed = await tx`
      update supporters set debit_notices_enabled = ${isOn}, debit_notices_by_worth = false,
        debit_notice_frequency = coalesce(${frequency}::debit_notice_frequency, debit_notice_frequency)
      where supporter_id = ${supporterId} and (debit_notices_by_worth or debit_notices_enabled <> ${isOn}
        or (${isOn} and debit_notice_frequency <> ${frequency}::debit_notice_frequency))`;
    if (changed.count === 0) return;
    const change = { action: 'changed mails about debits', details: { debitNotices } };
    await appendToAuditLog(tx, { supporterId, at: clock.now(), actor, ...change });
  });
}

/** A supporter's choice; the one before `never` is kept for versions that knew only on and off. */
export const debitNoticesOf = (db: Db) =>
  db`case when debit_notices_enabled then debit_notice_frequency::text else 'never' end`;
