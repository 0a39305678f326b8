import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Shorter answers fit one packet as they are. */
const minBytes = 1_000;

/** Compressed, events would wait for one another. */
const text = /^(text\/(?!event-stream)|application\/(json|manifest\+json|javascript)|image\/svg\+xml)/;

const inBrotli = promisify(brotliCompress);
const inGzip = promisify(gzip);
/** Quality 5 costs about a millisecond for a page; files are compressed harder when the web app is built. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

type Encoding = 'br' | 'gzip';

/** Returns brotli if the client accepts it, else gzip, else undefined. Only q=0 is honoured: other weights are not ranked. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | undefined {
  if (!header) return undefined;
  const accepted = new Map<string, number>();
  for (const each of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    accepted.set(name, weight === undefined ? 1 : Number(weight));
  }
  const takes = (name: string) => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0;
  return (['br', 'gzip'] as const).find(takes);
}

function varyByEncoding(reply: FastifyReply): void {
  const known = reply.getHeader('vary');
  if (known === undefined) reply.header('vary', 'accept-encoding');
  else if (!/accept-encoding|\*/i.test(String(known))) reply.header('vary', `${String(known)}, accept-encoding`);
}

/** Returns whether an answer is text that nothing has compressed yet, of a route that may be. */
function isText(reply: FastifyReply): boolean {
  if (reply.statusCode === 206 || reply.hasHeader('content-encoding')) return false;
  return text.test(String(reply.getHeader('content-type') ?? ''));
}

/** Compresses an answer in one of these encodings; a short one, and one that is nothing to read, stays as it is. */
function compressed(reply: FastifyReply, payload: unknown, encoding: Encoding): unknown {
  if (payload instanceof Readable) {
    if (Number(reply.getHeader('content-length') ?? minBytes) < minBytes) return payload;
    reply.removeHeader('content-length').removeHeader('accept-ranges').header('content-encoding', encoding);
    const squeeze = encoding === 'br' ? createBrotliCompress(quality) : createGzip();
    payload.once('error', (error) => squeeze.destroy(error));
    return payload.pipe(squeeze);
  }
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
  if (Buffer.byteLength(payload) < minBytes) return payload;
  reply.removeHeader('content-length').header('content-encoding', encoding);
  return encoding === 'br' ? inBrotli(payload, quality) : inGzip(payload);
}

/**
 * Compresses the text answers of a part of the server, chosen by `isCompressed` of the route's pattern. Answers that hold
 * secrets may be among them only where no other site can make a browser ask for them (docs/decisions/web-app.md#compression).
 */
export function compressAnswers(app: FastifyInstance, isCompressed: (route: string) => boolean): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressed(request.routeOptions.url ?? '*') || !isText(reply)) return done(null, payload);
    varyByEncoding(reply);
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (encoding === undefined || request.method === 'HEAD') return done(null, payload);
    const answer = compressed(reply, payload, encoding);
    if (answer instanceof Promise) return answer;
    done(null, answer);
  });
}
