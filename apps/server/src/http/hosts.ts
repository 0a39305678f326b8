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
  app.addHook('onRequest', (request, reply, done) => {
    const isConsoleHost = request.hostname.toLowerCase() === consoleUrl.hostname;
    if (isConsoleHost && request.url === '/') reply.redirect(consoleUrl.pathname);
    else if (isConsoleHost === isFor(ofConsole, request) || isFor(ofBoth, request)) done();
    else done(new NotFound('That address'));
  });
}

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'host';

/** Refuses a request with two Host headers (RFC 9112): a proxy before us may have believed the other one. */
export function refuseSecondHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { rawHeaders } }, _reply, done) => {
    let hosts = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at] ?? '')) hosts += 1;
    done(hosts > 1 ? new HttpRefusal('invalid-input', 'A request names one host.') : undefined);
  });
}
