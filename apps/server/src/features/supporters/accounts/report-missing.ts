import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';

/** Minimum days between emails about an intermittent account. */
const minDaysBetweenEmails = 30;

/**
 * Sends a supporter one email about all chosen accounts that the bank left out. Their choices stay as they are.
 * Supporters who have not finished onboarding, or have closed their account, get no email.
 */
export async function reportMissingAccounts(tx: Db, supporterId: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - minDaysBetweenEmails * 86_400_000);
  const missing = await tx<{ maskedNumber: string; isDebited: boolean; isTracked: boolean }[]>`
    update accounts set missing_mailed_at = ${now} from supporters supporter
    where accounts.supporter_id = ${supporterId} and supporter.supporter_id = accounts.supporter_id
      and onboarded_on is not null and closed_on is null
      and missing_since = ${now} and (round_ups_on or is_funding)
      and (missing_mailed_at is null or missing_mailed_at < ${since})
    returning masked_number as "maskedNumber", is_funding as "isDebited", round_ups_on as "isTracked"`;
  if (missing.length === 0) return;
  const isDebited = missing.some((account) => account.isDebited);
  const isTracked = missing.some((account) => account.isTracked);
  const facts = { kind: 'account_missing', isDebited, isTracked } as const;
  await queueEmail(tx, { supporterId, key: `account_missing ${now.toISOString()}`, facts, at: now });
  const details = { accounts: missing.map(({ maskedNumber }) => maskedNumber).join(', '), isDebited, isTracked };
  await appendToAuditLog(tx, { supporterId, at: now, actor: 'bank', action: 'account missing', details });
}
