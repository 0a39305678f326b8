import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { envelope, problemOfStatus } from '#bank/basiq/answers.ts';
import type { Faults, PathFault } from './faults.ts';

const defaultHoldMs = 60_000;
const faultsInEffect = new WeakMap<FastifyRequest, PathFault>();
const faultyPaths = ['/basiq', '/zepto', '/home'];

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? '';

/** Applies the faults that were asked for to requests to the providers; the control side has none. */
export function injectFaults(app: FastifyInstance, faults: Faults): void {
  const isFaulty = (request: FastifyRequest) => faultyPaths.some((faulty) => pathOf(request).startsWith(faulty));

  app.addHook('onRequest', async (request, reply) => {
    if (isFaulty(request)) await apply(request, reply, faults.takeForRequest(request.method, pathOf(request)));
  });

  app.addHook('preHandler', async (request, reply) => {
    const { body, method } = request;
    if (!body || !isFaulty(request) || faultsInEffect.has(request)) return;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    await apply(request, reply, faults.takeForRequest(method, pathOf(request), text));
  });

  // Runs once the answer is known, which is after every change it reports has been committed.
  app.addHook('onSend', async (request, reply, payload) => {
    const fault = faultsInEffect.get(request);
    if (fault?.timeoutAfterEffect === true) await cut(reply, fault);
    return payload;
  });
}

async function apply(request: FastifyRequest, reply: FastifyReply, fault: PathFault | undefined): Promise<void> {
  if (fault === undefined) return;
  faultsInEffect.set(request, fault);
  if (fault.latencyMs !== undefined) await setTimeout(fault.latencyMs);
  if (fault.timeoutBeforeEffect === true) return cut(reply, fault);
  if (fault.status !== undefined) await refuse(reply, pathOf(request), fault.status);
}

/** Leaves the caller without an answer: it hangs until the caller gives up or the time is over, and the connection is cut. */
async function cut(reply: FastifyReply, { holdMs = defaultHoldMs }: PathFault): Promise<void> {
  reply.hijack();
  const hungUp = new Promise<void>((resolve) => reply.raw.once('close', () => resolve()));
  await Promise.race([hungUp, setTimeout(holdMs, undefined, { ref: false })]);
  reply.raw.destroy();
}

async function refuse(reply: FastifyReply, path: string, status: 429 | 500 | 503): Promise<void> {
  reply.status(status);
  if (status !== 500 && path.startsWith('/zepto')) reply.header('retry-after', '1');
  if (path.startsWith('/basiq')) await reply.send(envelope(problemOfStatus(status)));
  else await reply.send({ errors: status === 429 ? 'Too many requests' : 'Service unavailable' });
}
