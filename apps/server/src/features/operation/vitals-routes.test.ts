import fastify from 'fastify';
import { expect, test } from 'vitest';
import { vitalsRoutes } from './vitals-routes.ts';

/** What the collector logs of a body; it answers alike whatever comes. */
async function collected(body: unknown): Promise<unknown> {
  const lines: string[] = [];
  const app = fastify({ logger: { stream: { write: (line) => void lines.push(line) } } });
  vitalsRoutes(app);
  const answer = await app.inject({ method: 'POST', url: '/vitals', payload: body as object });
  expect(answer.statusCode).toBe(204);
  const entries = lines.map((line) => JSON.parse(line) as { msg: string; measure?: unknown });
  return entries.find(({ msg }) => msg === 'web measure')?.measure;
}

const lcp = { name: 'LCP', value: 812.5, rating: 'good', path: '/dashboard' };

test('screens and web performance figures are collected', async () => {
  expect(await collected(lcp)).toEqual(lcp);
  expect(await collected({ name: 'page_view', path: '/__' })).toEqual({ name: 'page_view', path: '/__' });
});

test.each([
  { ...lcp, path: '/extend-consent/mira@example.com' },
  { ...lcp, rating: 'splendid' },
  { name: 'page_view', path: '/dashboard?jobId=1' },
  { name: 'somebody', path: '/' },
])('%o is answered alike and collected by nobody', async (body) => {
  expect(await collected(body)).toBeUndefined();
});
