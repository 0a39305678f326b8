import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localServer } from '#providers/testing/local-server.ts';
import { describeReadiness, listensAt, takesFiles, watchNeeds } from './dependency-health.ts';

test('an address where somebody listens is there, one where nobody does is not', async () => {
  const server = await localServer(() => ({ status: 500 }));
  expect(await listensAt(server.url)()).toBe(true);
  expect(server.received).toEqual([]);
  await server.close();
  expect(await listensAt(server.url)()).toBe(false);
  expect(await listensAt('https://no-such-host.invalid')()).toBe(false);
});

test('bank files need a folder that can be written into', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sparechange-needs-'));
  expect(await takesFiles(join(folder, 'outbox'))()).toBe(true);
  await writeFile(join(folder, 'file'), '');
  expect(await takesFiles(join(folder, 'file'))()).toBe(false);
});

test('only the first waits; what changed shows a few seconds later, and many callers ask once', async () => {
  let [isThere, asked, at] = [false, 0, 0];
  const probe = async () => {
    asked += 1;
    return isThere;
  };
  const needs = watchNeeds({ mail: probe }, { freshMs: 1_000, now: () => at });
  expect(await Promise.all([needs(), needs(), needs()])).toEqual(Array(3).fill({ mail: 'not ready' }));
  isThere = true;
  await needs();
  expect(asked).toBe(1);
  at = 1_000;
  await needs();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await needs()).toEqual({ mail: 'ready' });
  expect(asked).toBe(2);
});

test('one provider unavailable degrades, all there is ready', () => {
  expect(describeReadiness({ mail: 'ready', payments: 'not ready' }).status).toBe('degraded');
  expect(describeReadiness({ mail: 'ready' })).toEqual({ status: 'ready', providers: { mail: 'ready' } });
  expect(describeReadiness({}).status).toBe('ready');
});
