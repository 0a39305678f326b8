import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { queueEmail } from '#features/emails/queue-email.ts';
import { type Clock, today } from '#ports/clock.ts';

/**
 * Mails a supporter the way to the copy of their data, once a day; returns whether new. They alone can download it, signed
 * in (docs/decisions/0135-acts-of-support.md).
 */
export function offerExport(pool: Pool, clock: Clock, supporterId: string): Promise<boolean> {
  const at = clock.now();
  return pool.of(supporterId).begin(async (tx) => {
    const key = `data offered ${today(clock)}`;
    const isNew = await queueEmail(tx, { supporterId, key, facts: { kind: 'data_offered' }, at });
    if (isNew)
      await appendToAuditLog(tx, { supporterId, at, actor: 'operator', action: 'mailed the way to their data' });
    return isNew;
  });
}
