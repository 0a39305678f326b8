import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import type { WebhookAnswer, WebhookReceivers } from '#ports/webhook-receiver.ts';
import { isPublicAddress } from './public-address.ts';

export interface ReceiverSettings {
  /** For development: http and addresses of this machine and network. */
  isLocalAllowed: boolean;
  /** Milliseconds for a whole call. */
  timeoutMs?: number;
}

const maxAnswerBytes = 2_000;

/** Resolves a name for the very connection that is made, so that it cannot become another address in between. */
const lookUpPublic: LookupFunction = (hostname, options, done) =>
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const addresses = found.filter(({ address }) => isPublicAddress(address));
    const [first] = addresses;
    if (!first) return done(new Error(`${hostname} is no public address`), []);
    return options.all ? done(null, addresses) : done(null, first.address, first.family);
  });

/** Looks at an address as it is written; a name is looked at when it is resolved. */
function problemOf(url: URL, isLocalAllowed: boolean): string | undefined {
  if (url.username || url.password) return 'it has a user or a password in it';
  if (isLocalAllowed) return ['http:', 'https:'].includes(url.protocol) ? undefined : 'it is not http or https';
  if (url.protocol !== 'https:') return 'it is not https';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) !== 0 && !isPublicAddress(host) ? 'it is no public address' : undefined;
}

/** Reads the beginning of an answer and leaves the rest. */
async function readAnswer(response: IncomingMessage): Promise<WebhookAnswer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= maxAnswerBytes) break;
  }
  return { status: response.statusCode ?? null, text: Buffer.concat(parts).subarray(0, maxAnswerBytes).toString() };
}

async function send(
  url: URL,
  { headers, body }: { headers: Record<string, string>; body: string },
  { isLocalAllowed, timeoutMs }: Required<ReceiverSettings>,
): Promise<WebhookAnswer> {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    const ends = AbortSignal.timeout(timeoutMs);
    ends.addEventListener('abort', () => reject(ends.reason)); // an upgraded connection is no request any more
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false as const,
      signal: ends,
      ...(isLocalAllowed ? {} : { lookup: lookUpPublic }),
    };
    request(url, options, (response) => readAnswer(response).then(resolve, reject))
      .on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new Error('it answered with another protocol'));
      })
      .on('error', reject)
      .end(body);
  });
}

/** Makes the way to receivers over HTTP. Node's own requests follow no redirect. */
export function webhookReceivers({ isLocalAllowed, timeoutMs = 10_000 }: ReceiverSettings): WebhookReceivers {
  return {
    problemOf: (url) => problemOf(url, isLocalAllowed),
    async post(url, headers, body) {
      const problem = problemOf(url, isLocalAllowed);
      if (problem) return { status: null, text: `not called: ${problem}` };
      try {
        return await send(url, { headers, body }, { isLocalAllowed, timeoutMs });
      } catch (error) {
        const { name, message } = error as Error;
        return { status: null, text: /^(Abort|Timeout)Error$/.test(name) ? `no answer in ${timeoutMs} ms` : message };
      }
    },
  };
}
