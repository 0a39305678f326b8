import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('counters add up by their labels', async () => {
  const metrics = createMetrics();
  const calls = metrics.counter('calls_total', 'Calls.');
  calls.add({ route: '/a' });
  calls.add({ route: '/a' }, 2);
  calls.add({ route: 'a "quoted" \\ \n one' });
  expect(await metrics.text()).toBe(
    [
      '# HELP calls_total Calls.',
      '# TYPE calls_total counter',
      'calls_total{route="/a"} 3',
      'calls_total{route="a \\"quoted\\" \\\\ \\n one"} 1',
      '',
    ].join('\n'),
  );
});

test('durations are counted in buckets, each with all shorter ones', async () => {
  const metrics = createMetrics();
  const seconds = metrics.histogram('took_seconds', 'Took.');
  for (const each of [0.001, 0.005, 0.03, 99]) seconds.observe({ route: '/a' }, each);
  const lines = (await metrics.text()).split('\n');
  expect(lines).toContain('took_seconds_bucket{route="/a",le="0.005"} 2');
  expect(lines).toContain('took_seconds_bucket{route="/a",le="0.05"} 3');
  expect(lines).toContain('took_seconds_bucket{route="/a",le="10"} 3');
  expect(lines).toContain('took_seconds_bucket{route="/a",le="+Inf"} 4');
  expect(lines).toContain('took_seconds_count{route="/a"} 4');
  expect(lines.some((line) => line.startsWith('took_seconds_sum{route="/a"} 99.03'))).toBe(true);
});

test('what counts up elsewhere is a counter', async () => {
  const metrics = createMetrics();
  metrics.gauge('cpu_seconds_total', 'Time.', () => [{ value: 1 }]);
  expect(await metrics.text()).toContain('# TYPE cpu_seconds_total counter\n');
});

test('what cannot be read is left out and the rest is there', async () => {
  const metrics = createMetrics();
  metrics.gauge('broken', 'Broken.', () => {
    throw new Error('no database');
  });
  metrics.gauge('fine', 'Fine.', () => [{ value: 1 }, { labels: { queue: 'mails' }, value: 2 }]);
  const lines = (await metrics.text()).split('\n');
  expect(lines.filter((line) => !line.startsWith('#'))).toEqual(['fine 1', 'fine{queue="mails"} 2', '']);
});
