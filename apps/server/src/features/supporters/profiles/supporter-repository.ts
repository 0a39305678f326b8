import type { IsoDate, RoundUpStep, WeeklyLimit } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOfAnswering } from '#db/in-each-bucket.ts';
import { isPaused } from '#features/core/debiting/conditions.ts';
import { keptAddress } from '#kept-address.ts';

/** A supporter as the use cases need them. */
export interface Supporter {
  supporterId: string;
  email: string;
  firstName: string;
  lastName: string;
  mobile: string;
  tenantKey: string;
  clubId: string;
  bankCustomerId: string | null;
  consentActive: boolean;
  consentExpiresAt: Date | null;
  /** Instant up to which consents withdrawn here are still to be revoked at the provider. */
  consentRevokingSince: Date | null;
  /** Earliest end of a bank's permission; null if none says. */
  connectionEndsAt: Date | null;
  /** Day on which an ended permission was found. */
  connectionEndedOn: IsoDate | null;
  onboardedOn: IsoDate | null;
  roundsFrom: IsoDate | null;
  roundUpStep: RoundUpStep;
  weeklyLimitCents: WeeklyLimit;
  savingsEnabled: boolean;
  syncedAt: Date | null;
  /** Time until which banks sent data of accounts in use. */
  bankDataAt: Date | null;
  isPaused: boolean;
  isClosed: boolean;
}

export async function findSupporter(db: Db, supporterId: string): Promise<Supporter | undefined> {
  const [supporter] = await db<Supporter[]>`
    select supporter_id as "supporterId", email, first_name as "firstName", last_name as "lastName", mobile,
      tenant_key as "tenantKey", club_id as "clubId", bank_customer_id as "bankCustomerId",
      consent_active as "consentActive", consent_expires_at as "consentExpiresAt",
      consent_revoking_since as "consentRevokingSince", connection_ends_at as "connectionEndsAt",
      connection_ended_on as "connectionEndedOn", onboarded_on as "onboardedOn",
      rounds_from as "roundsFrom", round_up_step as "roundUpStep", weekly_limit_cents as "weeklyLimitCents",
      savings_enabled as "savingsEnabled", synced_at as "syncedAt", bank_data_at as "bankDataAt",
      ${isPaused(db, 'supporters')} as "isPaused",
      closed_on is not null as "isClosed"
    from supporters where supporter_id = ${supporterId}`;
  return supporter;
}

/**
 * Finds by email for operators and emailed links, never callers; a bucket that does not answer does not hide supporters
 * of the others. A closed supporter is found only once all have answered: an open one may have the address by now.
 */
export async function findSupporterIdByEmail(pool: Pool, email: string): Promise<string | undefined> {
  const find = (db: Db) => db<{ supporterId: string; isClosed: boolean; registeredAt: Date }[]>`
    select supporter_id as "supporterId", closed_on is not null as "isClosed", registered_at as "registeredAt"
    from supporters where email = ${keptAddress(email)} order by closed_on is not null, registered_at limit 1`;
  const found = await rowsOfAnswering(pool.inBuckets(), find, ({ isClosed }) => !isClosed);
  const [first] = found.sort(
    (one, other) =>
      Number(one.isClosed) - Number(other.isClosed) || Number(one.registeredAt) - Number(other.registeredAt),
  );
  return first?.supporterId;
}
