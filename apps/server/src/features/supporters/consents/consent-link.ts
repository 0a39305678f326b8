import { createHash, randomBytes } from 'node:crypto';
import { bankState } from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import { NotAllowed } from '#errors.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import {
  type ConsentLink,
  insertConsentLink,
  isOpenedLink,
  listConfirmedConnections,
  openLink,
  reopenLink,
  saveConfirmedJob,
  type TicketOf,
} from './consent-link-repository.ts';

/** Path of our page before the bank's; a ticket follows. */
export const consentPagesPath = '/api/consent-pages/';

const minuteMs = 60_000;
const linkLifetimeMs = 15 * minuteMs;
/** Allows supporters in another browser time to find their password. */
const returnWithinMs = 24 * 60 * minuteMs;

export interface ConsentLinkDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
  sites: Sites;
}

const hashOf = (secret: string): Uint8Array => createHash('sha256').update(`consent ${secret}`).digest();
const before = (clock: Clock, ms: number): Date => new Date(clock.now().getTime() - ms);

const ticketOf = (supporterId: string, secret: string): TicketOf => ({ supporterId, ticketHash: hashOf(secret) });

/** Reads a ticket: 16-byte supporter id, then an 18-byte secret. */
function readTicket(ticket: string): TicketOf | undefined {
  const bytes = Buffer.from(ticket, 'base64url');
  if (bytes.length !== 34 || bytes.toString('base64url') !== ticket) return undefined;
  const hex = bytes.subarray(0, 16).toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return ticketOf(id, ticket);
}

/** Creates a link of ours to the bank's pages: it is valid for 15 minutes and opens once. Never log or email it. */
export async function makeConsentLink(deps: ConsentLinkDeps, supporterId: string, link: ConsentLink): Promise<URL> {
  const { db, clock, sites } = deps;
  const ticket = Buffer.concat([Buffer.from(supporterId.replaceAll('-', ''), 'hex'), randomBytes(18)]).toString(
    'base64url',
  );
  const times = { askedAt: clock.now(), forgetBefore: before(clock, returnWithinMs) };
  await insertConsentLink(db, ticketOf(supporterId, ticket), link, times);
  return new URL(`${consentPagesPath}${ticket}`, sites.siteOf(link.tenantKey));
}

/**
 * Opens a link once: returns the provider's own, whose `state` carries a nonce unknown until then. Returns undefined
 * for a link that is unknown, too old or used. Throws ProviderUnavailable, and leaves the link as it was.
 */
export async function openConsentLink(deps: ConsentLinkDeps, ticket: string): Promise<URL | undefined> {
  const { clock, bankLink } = deps;
  const whose = readTicket(ticket);
  if (!whose) return undefined;
  const db = deps.db.of(whose.supporterId);
  const nonce = randomBytes(16).toString('base64url');
  const opening = { at: clock.now(), askedAfter: before(clock, linkLifetimeMs), nonceHash: hashOf(nonce) };
  const link = await openLink(db, whose, opening);
  if (!link?.bankCustomerId) return undefined;
  const { purpose, tenantKey, isRenewal } = link;
  try {
    return await bankLink.consentLink(link.bankCustomerId, purpose, bankState({ tenantKey, isRenewal, nonce }));
  } catch (error) {
    await reopenLink(db, whose);
    throw error;
  }
}

/** Confirms connection jobs without a link: for the sandbox's own supporters, and after the nonce was checked. */
export async function confirmJobs(
  { db, clock, bankLink }: Pick<ConsentLinkDeps, 'db' | 'clock' | 'bankLink'>,
  supporter: { supporterId: string; bankCustomerId: string | null },
  jobIds: string[],
): Promise<void> {
  const { supporterId, bankCustomerId } = supporter;
  for (const jobId of jobIds) {
    const isTheirs = bankCustomerId !== null && (await bankLink.jobState(bankCustomerId, jobId)) !== undefined;
    if (!isTheirs) throw new NotAllowed();
    const connectionId = await bankLink.connectionOfJob(bankCustomerId, jobId);
    await saveConfirmedJob(db, supporterId, { jobId, connectionId, at: clock.now() });
  }
}

/** Confirms the bank's result in the supporter's own session. Throws NotAllowed for another supporter's nonce. */
export async function confirmReturn(
  deps: ConsentLinkDeps,
  supporter: { supporterId: string; bankCustomerId: string | null },
  { nonce, jobIds }: { nonce: string; jobIds: string[] },
): Promise<void> {
  const { db, clock } = deps;
  const isOurs = await isOpenedLink(db, supporter.supporterId, hashOf(nonce), before(clock, returnWithinMs));
  if (!isOurs) throw new NotAllowed();
  await confirmJobs(deps, supporter, jobIds);
}

/** Asks again for connections unnamed when their jobs were confirmed. */
export async function nameConfirmedConnections(
  { db, clock, bankLink }: Pick<ConsentLinkDeps, 'db' | 'clock' | 'bankLink'>,
  supporter: { supporterId: string; bankCustomerId: string },
): Promise<void> {
  const { supporterId, bankCustomerId } = supporter;
  const unnamed = (await listConfirmedConnections(db, supporterId)).filter(({ connectionId }) => connectionId === null);
  for (const { jobId } of unnamed.slice(-5)) {
    const connectionId = await bankLink.connectionOfJob(bankCustomerId, jobId);
    if (connectionId) await saveConfirmedJob(db, supporterId, { jobId, connectionId, at: clock.now() });
  }
}

/**
 * Returns the supporter's customer id at the open-banking provider, created at the first consent. The provider does not
 * refuse duplicates: of two created concurrently one is stored, the other never gets a consent.
 */
export async function bankCustomer(db: Pool, bankLink: BankLink, supporterId: string): Promise<string> {
  const supporter = await getSupporter(db, supporterId);
  if (supporter.bankCustomerId) return supporter.bankCustomerId;
  const made = await bankLink.createCustomer(supporter);
  await db`
    update supporters set bank_customer_id = ${made}
    where supporter_id = ${supporterId} and bank_customer_id is null`;
  return (await getSupporter(db, supporterId)).bankCustomerId ?? made;
}
