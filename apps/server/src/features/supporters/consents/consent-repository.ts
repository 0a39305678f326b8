import type { IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { findOpenBreaker } from '#features/core/breakers/provider-breakers.ts';

export type ConsentEnd = 'expired' | 'withdrawn';

export interface KeptConsent {
  isActive: boolean;
  expiresAt: Date | null;
  revokingSince: Date | null;
  endedOn: IsoDate | null;
  end: ConsentEnd | null;
  isClosed: boolean;
}

/** Locks and returns a consent: one supporter's updates take turns. */
export async function lockConsent(tx: Db, supporterId: string): Promise<KeptConsent | undefined> {
  const [kept] = await tx<KeptConsent[]>`
    select consent_active as "isActive", consent_expires_at as "expiresAt", consent_ended_on as "endedOn",
      consent_end as "end", consent_revoking_since as "revokingSince", closed_on is not null as "isClosed"
    from supporters where supporter_id = ${supporterId} for no key update`;
  return kept;
}

/**
 * Saves an active consent. After an expired one, the next sync reads the purchases of the gap; after a withdrawn one,
 * purchases count from the day of the new one (docs/decisions/consents.md#gap-after-a-late-renewal).
 */
export async function saveActiveConsent(tx: Db, supporterId: string, expiresAt: Date, day: IsoDate): Promise<void> {
  await tx`
    update supporters set consent_active = true, consent_expires_at = ${expiresAt}, consent_ended_on = null, consent_end = null,
      rounds_from = case when consent_end = 'withdrawn' and rounds_from < ${day} and consent_ended_on < ${day} then ${day}::date else rounds_from end
    where supporter_id = ${supporterId}`;
}

export async function saveConsentEnd(tx: Db, supporterId: string, end: ConsentEnd, day: IsoDate): Promise<void> {
  await tx`
    update supporters set consent_active = false, consent_ended_on = ${day}, consent_end = ${end},
      connection_ends_at = null, connection_ended_on = null
    where supporter_id = ${supporterId}`;
}

/**
 * Records that consents given up to an instant are to be revoked at the provider; nothing for a supporter it does not
 * know.
 */
export async function saveRevoking(tx: Db, supporterId: string, since: Date): Promise<void> {
  await tx`
    update supporters set consent_revoking_since = ${since}
    where supporter_id = ${supporterId} and bank_customer_id is not null`;
}

/** Records revocation by the provider; a later withdrawal stays pending. */
export async function saveRevoked(db: Db, supporterId: string, since: Date): Promise<void> {
  await db`
    update supporters set consent_revoking_since = null
    where supporter_id = ${supporterId} and consent_revoking_since = ${since}`;
}

const dayMs = 86_400_000;

/** Returns whether the bank link has not answered for a day. */
async function hasBeenUnavailableForADay(db: Db, now: Date): Promise<boolean> {
  const breaker = await findOpenBreaker(db.inControl(), 'bank_link');
  return breaker !== undefined && now.getTime() - breaker.openedAt.getTime() > dayMs;
}

/**
 * Selects supporters whose consent the provider has answered about within 25 hours or been asked about in vain, and
 * everybody once it has not answered for a day: before that our stored state is not acted on.
 */
const isPolled = (db: Db, now: Date, isUnavailable: boolean) => db`
  (${isUnavailable} or not exists (select from supporter_work poll where poll.supporter_id = supporters.supporter_id
    and kind = 'consent_poll' and tries = 0 and next_try_at is not null
    and coalesce(done_at < ${now}::timestamptz - interval '25 hours', true)))`;

/** Lists supporters whose expired consent is still marked active. */
export async function listOverdue(db: Db, now: Date, after: string, limit: number): Promise<{ supporterId: string }[]> {
  const isUnavailable = await hasBeenUnavailableForADay(db, now);
  return db<{ supporterId: string }[]>`
    select supporter_id as "supporterId" from supporters
    where supporter_id > ${after} and consent_active and consent_expires_at <= ${now} and ${isPolled(db, now, isUnavailable)}
    order by supporter_id limit ${limit}`;
}

export interface EndingConsent {
  supporterId: string;
  tenantKey: string;
  clubId: string;
  expiresAt: Date;
  connectionEndsAt: Date | null;
  connectionEndedOn: IsoDate | null;
}

/** Lists supporters whose consent or bank's permission ends before then. */
export async function listEnding(
  db: Db,
  { now, before }: { now: Date; before: Date },
  after: string,
  limit: number,
): Promise<EndingConsent[]> {
  const isUnavailable = await hasBeenUnavailableForADay(db, now);
  return db<EndingConsent[]>`
    select supporter_id as "supporterId", tenant_key as "tenantKey", club_id as "clubId", consent_expires_at as "expiresAt",
      connection_ends_at as "connectionEndsAt", connection_ended_on as "connectionEndedOn" from supporters
    where supporter_id > ${after} and consent_active
      and (consent_expires_at < ${before} or connection_ends_at < ${before} or connection_ended_on is not null)
      and onboarded_on is not null and closed_on is null and ${isPolled(db, now, isUnavailable)}
    order by supporter_id limit ${limit}`;
}

export interface EndedConsent {
  supporterId: string;
  end: ConsentEnd;
  endedOn: IsoDate;
}

/** Lists supporters with ended consent whose bank data remain. */
export async function listWithBankData(db: Db, now: Date, after: string, limit: number): Promise<EndedConsent[]> {
  const isUnavailable = await hasBeenUnavailableForADay(db, now);
  return db<EndedConsent[]>`
    select supporter_id as "supporterId", consent_end as "end", consent_ended_on as "endedOn" from supporters
    where supporter_id > ${after} and consent_end is not null and ${isPolled(db, now, isUnavailable)}
      and (exists (select from accounts where accounts.supporter_id = supporters.supporter_id)
        or exists (select from round_ups where round_ups.supporter_id = supporters.supporter_id))
    order by supporter_id limit ${limit}`;
}
