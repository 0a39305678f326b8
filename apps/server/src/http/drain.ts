import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export interface DrainTimes {
  /** Time for a proxy to learn that this server is not ready; calls are served as before. */
  graceMs?: number;
  /** Connections still open this long after it are cut, including those of callers who never finish sending. */
  longestMs?: number;
}

/**
 * Sends callers elsewhere: each answer ends its connection, then no new calls are let in, and waiting ones are
 * answered.
 */
export async function drain(app: FastifyInstance, { graceMs = 0, longestMs = 4_000 }: DrainTimes = {}): Promise<void> {
  const { server } = app;
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  await wait(graceMs);
  // Node closes those that are idle now; who is answered from now on would be kept for the next call.
  const idling = setInterval(() => server.closeIdleConnections(), 50);
  const overdue = setTimeout(() => server.closeAllConnections(), longestMs);
  await app.close();
  clearInterval(idling);
  clearTimeout(overdue);
}
