import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { envelope, problemOfStatus } from '#bank/basiq/problem.ts';
import type { Faults, PathFault } from './faults.ts';

const holdMsByDefault = 60_000;
const struck = new WeakMap<FastifyRequest, PathFault>();
const playedPaths = ['/basiq', '/zepto', '/home'];

/** Lets the faults that were asked for strike requests to the outside world; the control side is never struck. */
export function letFaultsStrike(app: FastifyInstance, faults: Faults): void {
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    if (!playedPaths.some((played) => path.startsWith(played))) return;
    await strike(request, reply, faults.takeForRequest(request.method, path));
  });

  app.addHook('preHandler', async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    if (!playedPaths.some((played) => path.startsWith(played)) || struck.has(request)) return;
    if (request.body) await strike(request, reply, faults.takeForRequest(request.method, path, textOf(request.body)));
  });

  // Runs once the answer is known, which is after everything it tells of has been committed.
  app.addHook('onSend', async (request, reply, payload) => {
    const fault = struck.get(request);
    if (fault?.timeoutAfterEffect === true) await cut(reply, fault);
    return payload;
  });
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

async function strike(request: FastifyRequest, reply: FastifyReply, fault: PathFault | undefined): Promise<void> {
  if (fault === undefined) return;
  struck.set(request, fault);
  if (fault.latencyMs !== undefined) await setTimeout(fault.latencyMs);
  if (fault.timeoutBeforeEffect === true) return cut(reply, fault);
  if (fault.status !== undefined) await refuse(reply, request.url.split('?')[0] ?? '', fault.status);
}

/** Leaves the caller without an answer: it hangs until the caller gives up or the time is over, and the line is cut. */
async function cut(reply: FastifyReply, { holdMs = holdMsByDefault }: PathFault): Promise<void> {
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
