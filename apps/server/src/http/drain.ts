import type { FastifyInstance } from 'fastify';

/**
 * Stops listening and answers whoever is waiting, for so long at most: then the connections that are left are cut, those
 * of callers among them who never finish what they send.
 */
export async function drain(app: FastifyInstance, longestMs = 4_000): Promise<void> {
  const { server } = app;
  // Node closes those that are idle now; who is answered from now on would be kept for the next call.
  const idling = setInterval(() => server.closeIdleConnections(), 50);
  const overdue = setTimeout(() => server.closeAllConnections(), longestMs);
  await app.close();
  clearInterval(idling);
  clearTimeout(overdue);
}
