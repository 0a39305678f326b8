import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadKey } from './data-key.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sparechange-key-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a key that is given is used, and none is made', async () => {
  const given = 'ab'.repeat(32);
  expect((await loadKey(folder, 'data', given)).toString('hex')).toBe(given);
  await expect(stat(join(folder, 'data.key'))).rejects.toThrow('ENOENT');
});

test('without one a key is made once and kept where only its owner reads it', async () => {
  const home = join(folder, 'new');
  const key = await loadKey(home, 'data');
  expect(key).toHaveLength(32);
  expect(await loadKey(home, 'data')).toEqual(key);
  expect((await stat(join(home, 'data.key'))).mode & 0o777).toBe(0o600);
  expect((await stat(home)).mode & 0o777).toBe(0o700);
});

test('two programs starting together agree on one key', async () => {
  const keys = await Promise.all([1, 2, 3, 4].map(() => loadKey(folder, 'data')));
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
  expect(keys[0]).toHaveLength(32);
});
