import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadKeys } from './data-key.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sparechange-key-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a key that is given is used, and none is made', async () => {
  const given = 'ab'.repeat(32);
  expect(await loadKeys(folder, 'data', given)).toEqual([Buffer.from(given, 'hex')]);
  await expect(stat(join(folder, 'data.key'))).rejects.toThrow('ENOENT');
});

test('without one a key is made once and kept where only its owner reads it', async () => {
  const home = join(folder, 'new');
  const keys = await loadKeys(home, 'data');
  expect(keys.map((key) => key.length)).toEqual([32]);
  expect(await loadKeys(home, 'data')).toEqual(keys);
  expect((await stat(join(home, 'data.key'))).mode & 0o777).toBe(0o600);
  expect((await stat(home)).mode & 0o777).toBe(0o700);
});

test('processes starting together agree on one key', async () => {
  for (let times = 0; times < 20; times += 1) {
    const home = join(folder, `start-${times}`);
    const keys = await Promise.all([1, 2, 3, 4].map(() => loadKeys(home, 'data')));
    expect(new Set(keys.map(([key]) => key.toString('hex'))).size).toBe(1);
    expect(await readdir(home)).toEqual(['data.key']);
  }
});

test('several keys may be given, in the configuration and in the file; the first stays the first', async () => {
  const [one, two] = ['ab'.repeat(32), 'cd'.repeat(32)];
  const both = [Buffer.from(one, 'hex'), Buffer.from(two, 'hex')];
  expect(await loadKeys(folder, 'data', `${one},${two}`)).toEqual(both);
  await writeFile(join(folder, 'data.key'), `${one}\n${two}\n`);
  expect(await loadKeys(folder, 'data')).toEqual(both);
});

test('a file that holds anything else is refused', async () => {
  await writeFile(join(folder, 'data.key'), 'ab'.repeat(31));
  await expect(loadKeys(folder, 'data')).rejects.toThrow('64 hexadecimal digits');
});
