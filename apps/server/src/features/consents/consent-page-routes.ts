import type { FastifyInstance } from 'fastify';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { type ConsentLinkDeps, consentPagesPath, openConsentLink } from './consent-link.ts';

/** Leads on to the bank's pages, once for each link; from any other link to where a new one can be asked for. */
export function consentPageRoutes(app: FastifyInstance, deps: ConsentLinkDeps): void {
  const url = `${consentPagesPath}:ticket`;
  // A HEAD of it would use the link up for a program that only looks where it leads.
  app.get<{ Params: { ticket: string } }>(url, { exposeHeadRoute: false }, async (request, reply) => {
    const target = await openConsentLink(deps, request.params.ticket).catch((error: unknown) => {
      if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error;
      request.log.warn({ err: error }, "the bank's consent pages cannot be reached");
      return undefined;
    });
    return reply.header('cache-control', 'no-store').redirect(target?.href ?? '/launch-consent', 303);
  });
}
