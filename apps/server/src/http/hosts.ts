import type { FastifyInstance } from 'fastify';
import { NotFound } from '#errors.ts';
import { HttpRefusal } from './errors.ts';
import { isFor } from './match-route.ts';

const ofConsole = /^\/console(\/|\?|$)/;
/** Includes fonts and brands' logos: they run nothing, identify nobody. */
const ofBoth = /^\/(healthz|readyz|assets\/[\w.-]+\.woff2|tenants\/(logos|pictures)\/[\w.-]+)$/;

/**
 * Keeps the console to its own host, and everything else from it, so that neither runs with the other's cookies. On one
 * machine, where both have the product's host, there is nothing to keep apart.
 */
export function separateConsole(app: FastifyInstance, consoleUrl: URL, productUrl: string): void {
  if (consoleUrl.host === new URL(productUrl).host) return;
  app.addHook('onRequest', async (request, reply) => {
    const isConsoleHost = request.hostname.toLowerCase() === consoleUrl.hostname;
    if (isConsoleHost && request.url === '/') return reply.redirect(consoleUrl.pathname);
    if (isFor(ofBoth, request) || isConsoleHost === isFor(ofConsole, request)) return undefined;
    throw new NotFound('That address');
  });
}

/** Refuses a request with two Host headers (RFC 9112): a proxy before us may have believed the other one. */
export function refuseSecondHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
    if (hosts.length > 1) throw new HttpRefusal('invalid-input', 'A request names one host.');
  });
}
