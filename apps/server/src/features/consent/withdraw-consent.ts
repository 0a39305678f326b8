import type { Pool } from '#db/connect.ts';
import { getSupporter } from '#features/identity/user-record.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import { endConsent } from './end-consent.ts';

export interface WithdrawalDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
}

/** Withdraws every active consent at the provider, for a supporter who asked us to, and keeps that it has ended. */
export async function withdrawConsent(
  { db, clock, bankLink }: WithdrawalDeps,
  supporterId: string,
  askedBy: string,
): Promise<number> {
  const { bankCustomerId } = await getSupporter(db, supporterId);
  const consents = bankCustomerId ? await bankLink.listConsents(bankCustomerId) : [];
  const active = consents.filter(({ state }) => state === 'active');
  for (const { id } of active) await bankLink.revokeConsent(bankCustomerId ?? '', id);
  await db.begin((tx) => endConsent(tx, clock, supporterId, 'withdrawn', askedBy));
  return active.length;
}
