import { isWithdrawnHere } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import { saveRevoked, saveRevoking } from './consent-repository.ts';
import { endConsent } from './end-consent.ts';

export interface WithdrawalDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
}

/**
 * Withdraws a supporter's consent at their request, here immediately and then at the provider. Returns how many were
 * revoked there. Throws if the provider does not answer; the daily run asks it again
 * (docs/decisions/leaving.md#six-steps).
 */
export async function withdrawConsent(deps: WithdrawalDeps, supporterId: string, askedBy: string): Promise<number> {
  await deps.db.begin((tx) => withdrawHere(tx, deps.clock, supporterId, askedBy));
  return revokeWithdrawn(deps, supporterId);
}

/** Ends all earlier consent here, regardless of the provider. */
export async function withdrawHere(tx: Db, clock: Clock, supporterId: string, askedBy: string): Promise<void> {
  await endConsent(tx, clock, supporterId, 'withdrawn', askedBy);
  await saveRevoking(tx, supporterId, clock.now());
}

/**
 * Revokes withdrawn consents at the provider, once, and records it as done if the provider then lists none of them as
 * active; otherwise the daily run asks again. Consents given since stay. If no withdrawal is pending, the provider is
 * not called.
 */
export async function revokeWithdrawn(
  { db, bankLink }: Pick<WithdrawalDeps, 'db' | 'bankLink'>,
  supporterId: string,
): Promise<number> {
  const { bankCustomerId, consentRevokingSince: since } = await getSupporter(db, supporterId);
  if (!bankCustomerId || !since) return 0;
  const listLeftOver = async () =>
    (await bankLink.listConsents(bankCustomerId)).filter((consent) => isWithdrawnHere(consent, since));
  const leftOver = await listLeftOver();
  for (const { id } of leftOver) await bankLink.revokeConsent(bankCustomerId, id);
  if (leftOver.length === 0 || (await listLeftOver()).length === 0) await saveRevoked(db, supporterId, since);
  return leftOver.length;
}
