import type { Pool } from '#db/connect.ts';
import { getSupporter } from '#features/identity/user-record.ts';
import { noteInAuditLog } from '#features/operation/audit-log.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';

/** Asks the provider whether the supporter's consent is active and keeps the answer (design section 8). */
export async function refreshConsent(
  pool: Pool,
  clock: Clock,
  bankLink: BankLink,
  supporterId: string,
): Promise<boolean> {
  const supporter = await getSupporter(pool, supporterId);
  if (!supporter.bankCustomerId) return false;
  const now = clock.now();
  const consents = await bankLink.listConsents(supporter.bankCustomerId);
  const active = consents.filter((consent) => consent.state === 'active' && consent.expiresAt > now);
  const expiresAt = active.map((consent) => consent.expiresAt).sort((a, b) => b.getTime() - a.getTime())[0] ?? null;
  const isActive = expiresAt !== null;
  await pool.begin(async (tx) => {
    const changed = await tx`
      update supporters set consent_active = ${isActive},
        consent_expires_at = coalesce(${expiresAt}::timestamptz, consent_expires_at)
      where supporter_id = ${supporterId}
        and (consent_active <> ${isActive} or (${isActive} and consent_expires_at is distinct from ${expiresAt}::timestamptz))`;
    if (changed.count === 0 || supporter.consentActive === isActive) return;
    const action = isActive ? 'consent became active' : 'consent ended';
    await noteInAuditLog(tx, { supporterId, at: now, actor: 'open banking', action });
  });
  return isActive;
}
