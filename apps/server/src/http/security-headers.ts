import type { FastifyInstance } from 'fastify';
import { HttpRefusal } from './errors.ts';

/** The policy of answers that are not pages. */
const policyOfAnswers = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A year, also for subdomains, because tenants are such hosts. */
const onlyHttps = 'max-age=31536000; includeSubDomains';

/** Headers that only mean something for a document. */
export const documentHeaders = {
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
};

/** The headers of every answer, errors of every kind included. `hsts` where the product is reached by https alone. */
export function securityHeaders({ hsts }: { hsts: boolean }): Record<string, string> {
  return {
    'content-security-policy': policyOfAnswers,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    ...(hsts ? { 'strict-transport-security': onlyHttps } : {}),
  };
}

/**
 * Puts the headers on every answer before anything else happens to the request; routes may then change single ones.
 * Node answers an unknown `Expect`, and the lack of a `Host`, on its own and without headers: the first is ignored
 * here, the second refused.
 */
export function protectAnswers(app: FastifyInstance, headers: Record<string, string>): void {
  const { server } = app;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  app.addHook('onRequest', ({ raw }, reply, done) => {
    reply.headers(headers);
    const isHostless = raw.headers.host === undefined && raw.httpVersion === '1.1';
    done(isHostless ? new HttpRefusal('invalid-input', 'The request does not say for which host it is.') : undefined);
  });
}
