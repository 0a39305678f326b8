import { type ConsentStatus, consentStatus } from '@sparechange/domain';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import type { Supporter } from '#features/supporters/profiles/supporter-repository.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import type { BankLink } from '#ports/bank-link.ts';
import { type Clock, today } from '#ports/clock.ts';
import { type KeptConsent, lockConsent, saveActiveConsent } from './consent-repository.ts';
import { endConsent } from './end-consent.ts';

export interface RefreshedConsent {
  isActive: boolean;
  /** True if it ended just now. */
  hasEnded: boolean;
  status: ConsentStatus;
}

/** Polls the provider and stores whether consent is active (docs/rules.md#consent-term). */
export async function refreshConsent(
  pool: Pool,
  clock: Clock,
  bankLink: BankLink,
  supporterId: string,
): Promise<boolean> {
  return (await pollConsent(pool, clock, bankLink, supporterId)).isActive;
}

/** Refreshes the consent; returns the provider's answer and its effect. */
export async function pollConsent(
  pool: Pool,
  clock: Clock,
  bankLink: BankLink,
  supporterId: string,
): Promise<RefreshedConsent> {
  return pollConsentOf(pool, clock, bankLink, await getSupporter(pool, supporterId));
}

/** Asks about a supporter who was read just before. */
export async function pollConsentOf(
  pool: Pool,
  clock: Clock,
  bankLink: BankLink,
  supporter: Supporter,
): Promise<RefreshedConsent> {
  const consents = supporter.bankCustomerId ? await bankLink.listConsents(supporter.bankCustomerId) : [];
  const status = consentStatus(consents, clock.now(), supporter.consentRevokingSince);
  if (isKept(supporter, status)) return { isActive: true, hasEnded: false, status };
  return pool.begin((tx) => keep(tx, clock, supporter, status));
}

/** Returns whether the provider's answer matches our state, as it nearly always does: then nothing is locked. */
const isKept = ({ isClosed, consentActive, consentExpiresAt }: Supporter, status: ConsentStatus): boolean =>
  status.state === 'active' && consentActive && !isClosed && consentExpiresAt?.getTime() === status.expiresAt.getTime();

/** Returns whether it ended here during the call to the provider: the answer may be older, so the next one counts. */
const hasEndedSince = ({ consentActive, consentRevokingSince }: Supporter, kept: KeptConsent): boolean =>
  !kept.isActive && (consentActive || kept.revokingSince?.getTime() !== consentRevokingSince?.getTime());

/** Returns whether it was given or prolonged here during the call to the provider: the answer may be older as well. */
const wasGivenSince = ({ consentActive, consentExpiresAt }: Supporter, kept: KeptConsent): boolean =>
  kept.isActive && !(consentActive && consentExpiresAt?.getTime() === kept.expiresAt?.getTime());

async function keep(tx: Db, clock: Clock, asked: Supporter, status: ConsentStatus): Promise<RefreshedConsent> {
  const { supporterId } = asked;
  const kept = await lockConsent(tx, supporterId);
  if (status.state !== 'active') {
    if (kept && wasGivenSince(asked, kept)) return { isActive: true, hasEnded: false, status };
    // A provider that knows of no consent at all may have lost it, so the data keeps its days of grace.
    const end = status.state === 'withdrawn' ? 'withdrawn' : 'expired';
    return { isActive: false, hasEnded: await endConsent(tx, clock, supporterId, end), status };
  }
  if (!kept || kept.isClosed || hasEndedSince(asked, kept)) return { isActive: false, hasEnded: false, status };
  if (!kept.isActive || kept.expiresAt?.getTime() !== status.expiresAt.getTime()) {
    await saveActiveConsent(tx, supporterId, status.expiresAt, today(clock));
  }
  if (!kept.isActive) {
    const action = 'consent became active';
    await appendToAuditLog(tx, { supporterId, at: clock.now(), actor: 'open banking', action });
  }
  return { isActive: true, hasEnded: false, status };
}
