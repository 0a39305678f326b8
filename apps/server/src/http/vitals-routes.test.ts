import fastify from 'fastify';
import { expect, test } from 'vitest';
import { createMetrics } from '#telemetry/metrics.ts';
import { vitalsRoutes } from './vitals-routes.ts';

/** Sends bodies, each answered with 204, and returns the metrics. */
async function counted(...bodies: object[]): Promise<string[]> {
  const metrics = createMetrics();
  const app = fastify();
  vitalsRoutes(app, {
    metrics: {
      pageViews: metrics.counter('views_total', 'Views.'),
      webSeconds: metrics.histogram('vital_seconds', 'Vitals.', [1, 2.5]),
      webShifts: metrics.histogram('shift', 'Shifts.', [0.1]),
    },
    tenantOfHost: (host) => (host === 'aca.sparechange.example' ? 'aca' : 'default'),
  });
  for (const payload of bodies) {
    const headers = { host: 'aca.sparechange.example' };
    const answer = await app.inject({ method: 'POST', url: '/vitals', payload, headers });
    expect(answer.statusCode).toBe(204);
  }
  return (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

const lcp = { name: 'LCP', value: 1812.5, rating: 'good', path: '/dashboard' };
const view = (path: string) => ({ name: 'page_view', path });

test('web performance figures are kept as histograms by route, in seconds', async () => {
  const lines = await counted(lcp, { ...lcp, value: 400 }, { ...lcp, name: 'CLS', value: 0.05 });
  expect(lines).toContain('vital_seconds_bucket{vital="LCP",route="/dashboard",le="1"} 1');
  expect(lines).toContain('vital_seconds_bucket{vital="LCP",route="/dashboard",le="2.5"} 2');
  expect(lines).toContain('vital_seconds_sum{vital="LCP",route="/dashboard"} 2.2125');
  expect(lines).toContain('shift_bucket{route="/dashboard",le="0.1"} 1');
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
