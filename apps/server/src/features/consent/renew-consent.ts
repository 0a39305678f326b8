import { type ConsentStanding, type RenewalStep, renewalStep } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { findSupporter, findSupporterIdByEmail } from '#features/identity/supporter-repository.ts';
import type { Sites } from '#features/tenants/tenant-site.ts';
import type { BankLink, ConsentPurpose } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import { pollConsent, type RefreshedConsent } from './refresh-consent.ts';
import type { RenewalLinks, RenewalPurpose } from './renewal-links.ts';
import { revokeWithdrawn } from './withdraw-consent.ts';

export interface RenewalDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
  sites: Sites;
  renewalLinks: RenewalLinks;
}

export interface Renewal {
  purpose: RenewalPurpose;
  email: string;
  /** As mailed; whoever has none is nobody yet. */
  token: string | undefined;
  /** At whose host it is asked for. */
  tenantKey: string;
}

const purposes: Record<RenewalStep, ConsentPurpose> = {
  extend: 'extend',
  reauthorise: 'reauthorise',
  'consent again': 'first consent',
};

/** What the next step of a renewal asks of the bank. */
export const renewalPurpose = (standing: ConsentStanding, now: Date): ConsentPurpose =>
  purposes[renewalStep(standing, now)];

/**
 * How the consent stands before somebody is sent to the bank's pages. What was withdrawn here is revoked there first:
 * they would take the old consent for a new one.
 */
export async function standingForLink(
  { db, clock, bankLink }: Pick<RenewalDeps, 'db' | 'clock' | 'bankLink'>,
  supporterId: string,
): Promise<RefreshedConsent> {
  await revokeWithdrawn({ db, bankLink }, supporterId);
  return pollConsent(db, clock, bankLink, supporterId);
}

/**
 * Where the "Extend" button of the renewal screens leads. With the token that we mailed to the address: to the bank.
 * Without: to a page of ours that asks to sign in and leads on to the bank, without looking the address up at all, so
 * that nothing about the answer tells whether it is known (design section 6, docs/decisions/0015).
 */
export async function renewConsent(deps: RenewalDeps, renewal: Renewal): Promise<URL> {
  const { db, clock, bankLink, sites, renewalLinks } = deps;
  const { purpose, email, token, tenantKey } = renewal;
  const ours = new URL('/linked-accounts', sites.siteOf(tenantKey));
  if (token === undefined || !renewalLinks.isValid(purpose, email, token, clock.now())) return ours;
  const supporterId = await findSupporterIdByEmail(db, email);
  const supporter = supporterId ? await findSupporter(db, supporterId) : undefined;
  if (!supporter?.bankCustomerId || supporter.isClosed) return ours;
  const { standing } = await standingForLink(deps, supporter.supporterId);
  const step = renewalStep(standing, clock.now());
  if (purpose === 'expired' && step !== 'consent again') return ours; // it was given again already
  return bankLink.consentLink(supporter.bankCustomerId, purposes[step], tenantKey);
}
