import { monthStart } from '@sparechange/domain';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { Conflict } from '#errors.ts';
import { clubNameOf, queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import { type Clock, today } from '#ports/clock.ts';

/** Ends onboarding: purchases count from today, or from the first of this month. Repeating it changes nothing. */
export async function completeOnboarding(
  pool: Pool,
  clock: Clock,
  supporterId: string,
  syncBeginningOfMonth: boolean,
): Promise<void> {
  const supporter = await getSupporter(pool, supporterId);
  if (supporter.onboardedOn) return;
  const [funding] = await pool`select 1 from accounts where supporter_id = ${supporterId} and is_funding`;
  if (!supporter.consentActive || !funding) throw new Conflict('A bank connection and a funding account come first.');
  const day = today(clock);
  const from = syncBeginningOfMonth ? monthStart(day) : day;
  await pool.begin(async (tx) => {
    const changed = await tx`
      update supporters set onboarded_on = ${day}, rounds_from = ${from}
      where supporter_id = ${supporterId} and onboarded_on is null`;
    if (changed.count === 0) return;
    const clubName = await clubNameOf(tx, supporter.clubId);
    const welcome = { kind: 'welcome', clubName, roundsFrom: from } as const;
    await queueEmail(tx, { supporterId, key: 'welcome', facts: welcome, at: clock.now() });
    const details = { from };
    await appendToAuditLog(tx, {
      supporterId,
      at: clock.now(),
      actor: 'supporter',
      action: 'finished onboarding',
      details,
    });
  });
}
