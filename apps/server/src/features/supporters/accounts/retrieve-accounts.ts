import type { Pool } from '#db/connect.ts';
import { Conflict } from '#errors.ts';
import { nameConfirmedConnections } from '#features/supporters/consents/consent-link.ts';
import { pollConnections } from '#features/supporters/consents/poll-connections.ts';
import { refreshConsent } from '#features/supporters/consents/refresh-consent.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { listAccounts } from './account-repository.ts';
import { storeAccounts } from './store-accounts.ts';

export interface AccountDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
  encryption: FieldEncryption;
}

/** Fetches the supporter's accounts; throws Conflict without an active consent. */
export async function retrieveAccounts(deps: AccountDeps, supporterId: string): Promise<void> {
  const { db, clock, bankLink } = deps;
  const supporter = await getSupporter(db, supporterId);
  const isActive = await refreshConsent(db, clock, bankLink, supporterId);
  if (!supporter.bankCustomerId || !isActive) throw new Conflict('There is no active bank connection.');
  const { bankCustomerId } = supporter;
  await nameConfirmedConnections(deps, { supporterId, bankCustomerId });
  const left = await storeAccounts(deps, supporterId, await bankLink.listAccounts(bankCustomerId), clock.now());
  const kept = left > 0 ? await listAccounts(db, supporterId) : undefined;
  if (kept?.length === 0) throw new Conflict('The bank connection is not confirmed.');
  await pollConnections(db, clock, bankLink, supporter);
}
