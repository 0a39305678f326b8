import { addDays, sydneyTime } from '@sparechange/domain';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { type Clock, today } from '#ports/clock.ts';
import { type ConsentEnd, lockConsent, saveConsentEnd } from './consent-repository.ts';

/** Days in which the link in the email about the end leads to the bank; after that one signs in first. */
const linkDays = 90;

/**
 * Ends a consent here: nothing more is collected or debited, and the supporter is notified once. A consent that has
 * already ended stays as it was. Returns whether it changed anything.
 */
export async function endConsent(
  tx: Db,
  clock: Clock,
  supporterId: string,
  end: ConsentEnd,
  actor = 'open banking',
): Promise<boolean> {
  const kept = await lockConsent(tx, supporterId);
  if (!kept?.isActive) return false;
  const day = today(clock);
  const at = clock.now();
  await saveConsentEnd(tx, supporterId, end, day);
  const action = end === 'expired' ? 'consent expired' : 'consent withdrawn';
  await appendToAuditLog(tx, { supporterId, at, actor, action });
  if (kept.isClosed) return true;
  const linkUntil = sydneyTime(addDays(day, linkDays), '00:00').toISOString();
  const facts =
    end === 'expired'
      ? ({ kind: 'consent_expired', linkUntil, endedOn: day } as const)
      : ({ kind: 'consent_withdrawn', linkUntil } as const);
  await queueEmail(tx, { supporterId, key: `${action} ${at.toISOString()}`, facts, at });
  return true;
}
