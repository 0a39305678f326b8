import type { extendConsent, OutputOf } from '@sparechange/contract';
import { type ConsentStatus, type RenewalStep, renewalStep, sydneyDay } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { findSupporter, findSupporterIdByEmail } from '#features/supporters/profiles/supporter-repository.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import { bankCustomer, makeConsentLink } from './consent-link.ts';
import { pollConnections } from './poll-connections.ts';
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
  /** From the email; without it, the caller is not identified. */
  token: string | undefined;
  /** Tenant of the requested host. */
  tenantKey: string;
}

interface RenewalStatus {
  step: RenewalStep;
  status: ConsentStatus;
  /** End of the first of the banks' own permissions; null if none gives one, or if one has ended. */
  bankEndsAt: Date | null;
}

/** Returns the due step of a renewal, from the provider's state of the consent and of the connections to the banks. */
async function renewalStatus(deps: RenewalDeps, supporterId: string): Promise<RenewalStatus> {
  const { db, clock, bankLink } = deps;
  const { status } = await statusForLink(deps, supporterId);
  const connections = await pollConnections(db, clock, bankLink, await getSupporter(db, supporterId));
  const bankEndsAt = connections.hasEnded ? null : connections.endsAt;
  return { step: renewalStep(status, connections, clock.now()), status, bankEndsAt };
}

/**
 * Returns the address of a step: of the bank, which leads back to the page with the remaining steps, or of a page of
 * ours.
 */
async function linkOf(deps: RenewalDeps, step: RenewalStep, supporterId: string, tenantKey: string): Promise<URL> {
  const { sites } = deps;
  if (step === 'nothing') return new URL('/linked-accounts', sites.siteOf(tenantKey));
  if (step === 'consent again')
    return makeConsentLink(deps, supporterId, { purpose: 'first consent', tenantKey, isRenewal: false });
  return makeConsentLink(deps, supporterId, { purpose: step, tenantKey, isRenewal: true });
}

/** Returns the address "Renew Consent" leads a signed-in supporter to. */
export async function renewOwnConsent(deps: RenewalDeps, supporterId: string, tenantKey: string): Promise<URL> {
  await bankCustomer(deps.db, deps.bankLink, supporterId);
  const { step } = await renewalStatus(deps, supporterId);
  return linkOf(deps, step, supporterId, tenantKey);
}

/**
 * Returns the consent before the supporter is sent to the bank's pages. A withdrawn one is revoked there first, or they
 * would take it for a new one.
 */
export async function statusForLink(
  { db, clock, bankLink }: Pick<RenewalDeps, 'db' | 'clock' | 'bankLink'>,
  supporterId: string,
): Promise<RefreshedConsent> {
  await revokeWithdrawn({ db, bankLink }, supporterId);
  return pollConsent(db, clock, bankLink, supporterId);
}

type RenewalAnswer = OutputOf<typeof extendConsent>;

/**
 * Returns the address to which "Extend" leads on the renewal screens. With the token that we emailed to the address it
 * is the bank's, for the due step, with the remaining ones. Without it, it is a page of ours that asks to sign in and
 * leads on to the bank: the address is not looked up at all, so that nothing in the answer tells whether it is known
 * (docs/rules.md#unknown-addresses).
 */
export async function renewConsent(deps: RenewalDeps, renewal: Renewal): Promise<RenewalAnswer> {
  const { db, clock, sites, renewalLinks } = deps;
  const { purpose, email, token, tenantKey } = renewal;
  const ours = { consentLink: new URL('/linked-accounts', sites.siteOf(tenantKey)).href };
  if (token === undefined || !renewalLinks.isValid(purpose, email, token, clock.now())) return ours;
  const supporterId = await findSupporterIdByEmail(db, email);
  if (!supporterId) return ours;
  const theirs = { ...deps, db: db.of(supporterId) };
  const supporter = await findSupporter(theirs.db, supporterId);
  if (!supporter?.bankCustomerId || supporter.isClosed) return ours;
  const { step, status, bankEndsAt } = await renewalStatus(theirs, supporter.supporterId);
  if (purpose === 'expired' && step !== 'consent again') return ours; // it was given again already
  const consentLink = (await linkOf(theirs, step, supporter.supporterId, tenantKey)).href;
  if (status.state !== 'active') return { consentLink };
  const left = step === 'reauthorise' ? 'bank' : step === 'nothing' ? 'nothing' : 'consent';
  const bankEndsOn = bankEndsAt && sydneyDay(bankEndsAt);
  return { consentLink, renewal: { left, endsOn: sydneyDay(status.expiresAt), bankEndsOn } };
}
