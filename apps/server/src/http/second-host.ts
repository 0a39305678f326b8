import type { FastifyInstance } from 'fastify';
import { HttpRefusal } from './errors.ts';

/** Refuses a request with two Host headers (RFC 9112): whoever stands before us may have believed the other one. */
export function refuseSecondHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
    if (hosts.length > 1) throw new HttpRefusal('invalid-input', 'A request names one host.');
  });
}
