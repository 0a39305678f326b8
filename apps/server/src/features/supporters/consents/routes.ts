import * as contract from '@sparechange/contract';
import type { FastifyInstance } from 'fastify';
import { Conflict, NotAllowed, NotFound } from '#errors.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import type { Serve } from '#http/serve.ts';
import type { ConsentPurpose } from '#ports/bank-link.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import {
  bankCustomer,
  type ConsentLinkDeps,
  confirmReturn,
  consentPagesPath,
  makeConsentLink,
  openConsentLink,
} from './consent-link.ts';
import { refreshConsent } from './refresh-consent.ts';
import { type RenewalDeps, renewConsent, renewOwnConsent, statusForLink } from './renew-consent.ts';

export function consentRoutes(serve: Serve, deps: RenewalDeps): void {
  const { db, clock, bankLink } = deps;
  const linkFor = async (supporterId: string, purpose: ConsentPurpose, tenantKey: string) => ({
    consentLink: (await makeConsentLink(deps, supporterId, { purpose, tenantKey, isRenewal: false })).href,
  });

  serve.supporter(contract.consent, async (_input, caller, { tenant }) => {
    await bankCustomer(db, bankLink, caller.supporterId);
    const { isActive } = await statusForLink(deps, caller.supporterId);
    return linkFor(caller.supporterId, isActive ? 'connect' : 'first consent', tenant.key);
  });

  serve.supporter(contract.manageConsent, async (_input, caller, { tenant }) => {
    await bankCustomer(db, bankLink, caller.supporterId);
    const { isActive } = await statusForLink(deps, caller.supporterId);
    return linkFor(caller.supporterId, isActive ? 'manage' : 'first consent', tenant.key);
  });

  serve.supporter(contract.renewOwnConsent, async (_input, caller, { tenant }) => {
    return { consentLink: (await renewOwnConsent(deps, caller.supporterId, tenant.key)).href };
  });

  serve.supporter(contract.checkConsent, async ({ externalUserId }, caller) => {
    const supporter = await getSupporter(db, caller.supporterId);
    if (supporter.bankCustomerId !== externalUserId) throw new NotAllowed();
    return { activeConsents: await refreshConsent(db, clock, bankLink, caller.supporterId) };
  });

  serve.supporter(contract.findJobs, async (_input, caller) => {
    const { bankCustomerId } = await getSupporter(db, caller.supporterId);
    const jobId = bankCustomerId ? await bankLink.findNewestJob(bankCustomerId) : undefined;
    if (!jobId) throw new NotFound('A bank connection');
    return { jobId };
  });

  serve.supporter(contract.confirmConnection, async ({ nonce, jobIds }, caller) => {
    await confirmReturn(deps, await getSupporter(db, caller.supporterId), { nonce, jobIds });
    return {};
  });

  serve.supporter(contract.checkJob, async ({ jobId }, caller, { reply }) => {
    const { bankCustomerId } = await getSupporter(db, caller.supporterId);
    const state = bankCustomerId ? await bankLink.jobState(bankCustomerId, jobId) : undefined;
    if (!state) throw new NotAllowed();
    if (state === 'declined') throw new Conflict('Nothing was shared at the bank.', 'bank-declined');
    if (state === 'failed') throw new Conflict('The bank did not connect.');
    const status = state === 'done' ? (200 as const) : (202 as const);
    reply.status(status);
    return { status };
  });

  serve.open(contract.extendConsent, async ({ email, token }, _nobody, { tenant }) => {
    return renewConsent(deps, { purpose: 'extend', email, token, tenantKey: tenant.key });
  });

  serve.open(contract.renewExpiredConsent, async ({ email, token }, _nobody, { tenant }) => {
    return renewConsent(deps, { purpose: 'expired', email, token, tenantKey: tenant.key });
  });
}

/** Leads on to the bank's pages, once for each link; any other link leads to a page that requests a new one. */
export function consentPageRoutes({ app }: { app: FastifyInstance }, deps: ConsentLinkDeps): void {
  const url = `${consentPagesPath}:ticket`;
  // A HEAD request would use up the link for a program that only checks its target.
  app.get<{ Params: { ticket: string } }>(url, { exposeHeadRoute: false }, async (request, reply) => {
    const target = await openConsentLink(deps, request.params.ticket).catch((error: unknown) => {
      if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error;
      request.log.warn({ err: error }, "the bank's consent pages cannot be reached");
      return undefined;
    });
    return reply.header('cache-control', 'no-store').redirect(target?.href ?? '/launch-consent', 303);
  });
}
