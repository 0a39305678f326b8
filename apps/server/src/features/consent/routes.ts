import * as contract from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import { getSupporter } from '#features/identity/user-record.ts';
import { conflict, notAllowed, notFound } from '#http/errors.ts';
import type { Serve } from '#http/serve.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import { bankCustomer } from './bank-customer.ts';
import { refreshConsent } from './refresh-consent.ts';

export interface ConsentDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
  /** The public address of the product. */
  productUrl: string;
}

export function consentRoutes(serve: Serve, { db, clock, bankLink, productUrl }: ConsentDeps): void {
  serve.supporter(contract.consent, async (_input, caller, { tenant }) => {
    const customer = await bankCustomer(db, bankLink, caller.supporterId);
    const isActive = await refreshConsent(db, clock, bankLink, caller.supporterId);
    const link = await bankLink.consentLink(customer, isActive ? 'connect' : 'first consent', tenant.key);
    return { consentLink: link.href };
  });

  serve.supporter(contract.manageConsent, async (_input, caller, { tenant }) => {
    const customer = await bankCustomer(db, bankLink, caller.supporterId);
    const isActive = await refreshConsent(db, clock, bankLink, caller.supporterId);
    const link = await bankLink.consentLink(customer, isActive ? 'manage' : 'first consent', tenant.key);
    return { consentLink: link.href };
  });

  serve.supporter(contract.checkConsent, async ({ externalUserId }, caller) => {
    const supporter = await getSupporter(db, caller.supporterId);
    if (supporter.bankCustomerId !== externalUserId) throw notAllowed();
    return { activeConsents: await refreshConsent(db, clock, bankLink, caller.supporterId) };
  });

  serve.supporter(contract.findJobs, async (_input, caller) => {
    const { bankCustomerId } = await getSupporter(db, caller.supporterId);
    const jobId = bankCustomerId ? await bankLink.findNewestJob(bankCustomerId) : undefined;
    if (!jobId) throw notFound('A bank connection');
    return { jobId };
  });

  serve.supporter(contract.checkJob, async ({ jobId }, caller, { reply }) => {
    const { bankCustomerId } = await getSupporter(db, caller.supporterId);
    const state = bankCustomerId ? await bankLink.jobState(bankCustomerId, jobId) : undefined;
    if (!state) throw notAllowed();
    if (state === 'failed') throw conflict('The bank did not connect.');
    const status = state === 'done' ? (200 as const) : (202 as const);
    reply.status(status);
    return { status };
  });

  // Without a mailed token the link is a page of ours that goes on to the bank after signing in; it is the same for
  // every address, known or not (design section 6).
  for (const operation of [contract.extendConsent, contract.renewExpiredConsent]) {
    serve.open(operation, async () => ({ consentLink: new URL('/linked-accounts', productUrl).href }));
  }
}
