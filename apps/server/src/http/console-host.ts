import type { FastifyInstance } from 'fastify';
import { NotFound } from '#errors.ts';
import { isFor } from './match-route.ts';

const ofConsole = /^\/console(\/|\?|$)/;
const ofBoth = /^\/(healthz|readyz)$/;

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
