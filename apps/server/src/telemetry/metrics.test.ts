import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { addGauge } from './metrics.ts';

const values = async (registry: Registry) =>
  (await registry.metrics())
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !/^metrics_unread_total.* 0$/.test(line));

test('what cannot be read is left out and counted, and the rest is there', async () => {
  const registry = new Registry();
  addGauge(registry, 'broken', 'Broken.', undefined, () => {
    throw new Error('no database');
  });
  addGauge(registry, 'broken_by', 'Broken.', 'queue', () => Promise.reject(new Error('no database')));
  addGauge(registry, 'fine', 'Fine.', undefined, () => 1);
  addGauge(registry, 'fine_by', 'Fine.', 'queue', async () => [{ name: 'a "quoted" \\ \n one', value: 2 }]);
  const read = ['fine 1', 'fine_by{queue="a \\"quoted\\" \\\\ \\n one"} 2'];
  expect((await values(registry)).filter((line) => !line.startsWith('metrics_unread'))).toEqual(read);
  const failed = ['broken', 'broken_by'].map((metric) => `metrics_unread_total{metric="${metric}"} 1`);
  expect(await values(registry)).toEqual(expect.arrayContaining(failed));
});

test('what was read before is not shown again', async () => {
  const registry = new Registry();
  const readings = [1, [{ name: 'mails', value: 2 }]];
  addGauge(
    registry,
    'once',
    'Once.',
    undefined,
    async () => readings.shift() ?? Promise.reject(new Error('no database')),
  );
  addGauge(registry, 'once_by', 'Once.', 'queue', async () => readings.shift() ?? []);
  expect(await values(registry)).toEqual(['once 1', 'once_by{queue="mails"} 2']);
  expect(await values(registry)).toEqual([]);
});
