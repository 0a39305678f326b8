import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { Counter, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { vitalsRoutes } from './vitals-routes.ts';

/** Sends bodies, each answered with 204, and returns the metrics. */
async function counted(...bodies: object[]): Promise<string[]> {
  const registry = new Registry();
  const registers = [registry];
  const vitals = { name: 'vital_seconds', help: 'Vitals.', labelNames: ['vital', 'route'] as const };
  const app = fastify();
  vitalsRoutes(app, {
    metrics: {
      pageViews: new Counter({ name: 'views_total', help: 'Views.', labelNames: ['route', 'tenant'], registers }),
      webSeconds: new Histogram({ ...vitals, buckets: [1, 2.5], registers }),
      webShifts: new Histogram({ name: 'shift', help: 'Shifts.', labelNames: ['route'], buckets: [0.1], registers }),
    },
    tenantOfHost: (host) => (host === 'aca.sparechange.example' ? 'aca' : 'default'),
  });
  for (const payload of bodies) {
    const headers = { host: 'aca.sparechange.example' };
    const answer = await app.inject({ method: 'POST', url: '/vitals', payload, headers });
    expect(answer.statusCode).toBe(204);
  }
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

const lcp = { name: 'LCP', value: 1812.5, rating: 'good', path: '/dashboard' };
const view = (path: string) => ({ name: 'page_view', path });

test('each screen of the web app is a route of its own', async () => {
  const source = readFileSync(new URL('../../../web/src/routes.tsx', import.meta.url), 'utf8');
  const lists = [...source.matchAll(/paths: \[([^\]]+)\]/g)].map(([, list = '']) => list);
  const paths = lists.flatMap((list) => [...list.matchAll(/'(\/[\w-]+)/g)].map(([, path = '']) => path));
  expect(paths.length).toBeGreaterThan(20);
  const lines = await counted(...paths.map(view));
  for (const path of paths) expect(lines.join(), path).toContain(`route="${path}"`);
});

test('web performance figures are kept as histograms by route, in seconds', async () => {
  const lines = await counted(lcp, { ...lcp, value: 400 }, { ...lcp, name: 'CLS', value: 0.05 });
  expect(lines).toContain('vital_seconds_bucket{le="1",vital="LCP",route="/dashboard"} 1');
  expect(lines).toContain('vital_seconds_bucket{le="2.5",vital="LCP",route="/dashboard"} 2');
  expect(lines).toContain('vital_seconds_sum{vital="LCP",route="/dashboard"} 2.2125');
  expect(lines).toContain('shift_bucket{le="0.1",route="/dashboard"} 1');
});

test('page views are counted by route and tenant, those of clubs and of anything else as one', async () => {
  const lines = await counted(view('/'), view('/'), view('/harbour-hounds'), view('/whatever'), view('/__'));
  expect(lines).toEqual([
    'views_total{route="/",tenant="aca"} 2',
    'views_total{route="/:variable",tenant="aca"} 2',
    'views_total{route="/__",tenant="aca"} 1',
  ]);
});

test.each([
  { ...lcp, path: '/extend-consent/mira@example.com' },
  { ...lcp, rating: 'splendid' },
  view('/dashboard?jobId=1'),
  { name: 'somebody', path: '/' },
])('%o is answered alike and counted nowhere', async (body) => {
  expect(await counted(body)).toEqual([]);
});
