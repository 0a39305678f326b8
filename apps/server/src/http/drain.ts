import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export interface DrainTimes {
  /** A proxy has so long to learn that this server is not ready; calls are served as before. */
  graceMs?: number;
  /** Connections that are left so long after it are cut, those of callers among them who never finish what they send. */
  longestMs?: number;
}

/** Lets callers go elsewhere: each answer ends its connection, then nobody new is let in, and who waits is answered. */
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
