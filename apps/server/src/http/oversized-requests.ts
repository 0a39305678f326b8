import type { FastifyInstance, FastifyReply } from 'fastify';
import { HttpRefusal } from './errors.ts';

/** Bytes of a request's first line and its headers; Node answers 431 beyond. */
export const maxHeadBytes = 8_192;
/** The longest path served has some 300 characters, most of them a link's token. */
const maxPathLength = 2_000;
const maxEncodingLength = 200;

/** Milliseconds for a request's headers and for all of it, and how often connections are looked at. */
export const requestTimes = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

/** A refused body is read and dropped up to this size, which the largest limit fits into. */
const maxDroppedBytes = 16 * 1024 * 1024;
const maxDroppingMs = 3_000;

/**
 * Drops what is left of a body whose refusal would end the connection. Closed immediately, with bytes unread, the
 * connection is reset, and a proxy that is still sending answers 502 of its own in place of our refusal.
 */
function dropBody({ request: { raw: request } }: FastifyReply): void {
  let leftBytes = maxDroppedBytes;
  const cut = () => request.socket.destroy();
  const overdue = setTimeout(cut, maxDroppingMs).unref();
  request.on('data', (chunk: Buffer) => {
    leftBytes -= chunk.length;
    if (leftBytes < 0) cut();
  });
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(overdue));
}

/**
 * Refuses requests that no client of ours sends before anything reads them, libraries included
 * (docs/rules.md#sizes-of-requests).
 */
export function refuseOversized(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const { url = '', headers } = raw;
    const query = url.indexOf('?');
    if ((query < 0 ? url.length : query) > maxPathLength)
      return done(new HttpRefusal('invalid-input', 'The address is too long.', 414));
    if (String(headers['accept-encoding'] ?? '').length > maxEncodingLength)
      return done(new HttpRefusal('invalid-input', 'The header Accept-Encoding is too long.', 431));
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const endsEarly = reply.getHeader('connection') === 'close' && reply.statusCode !== 408;
    if (endsEarly && request.raw.complete === false) {
      reply.removeHeader('connection');
      dropBody(reply);
    }
    done(null, payload);
  });
}
