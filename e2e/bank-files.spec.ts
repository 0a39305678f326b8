import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { walkMainPath } from './main-path.ts';
import { aPlace, aProduct, demo, type Place, runOps, startProduct, stopProduct, untilReady } from './product.ts';

const outboxOf = ({ dataDir }: Place) => join(dataDir, 'outbox', 'direct-entry');

test('with PAYMENTS=direct-entry and nothing else the same journey ends in a cleared debit', async ({ browser }) => {
  const { place, home, program, ops } = await aProduct({ PAYMENTS: 'direct-entry' });
  const context = await browser.newContext({ baseURL: home });
  await walkMainPath(await context.newPage(), ops, 'test-results/dashboard-bank-files.png');
  const written = await readdir(outboxOf(place));
  expect(written.length).toBeGreaterThan(0);
  await context.close();
  expect(await stopProduct(program)).toBe(0);
});

interface Written {
  folder: string;
  files: { name: string; items: number; totalCents: number }[];
}

test('an operator writes, lodges and takes returns, each once, and the books stay right', async () => {
  const { place, program, ops } = await aProduct({
    PAYMENTS: 'direct-entry',
    DIRECT_ENTRY_LODGING: 'by-operator',
  });
  await ops('sandbox', 'purchase', '--supporter', demo.email, '--amount', '4.35');
  await ops('sync', '--supporter', demo.email);
  await ops('debit-run', '--force');
  const { files } = await ops<Written>('direct-entry', 'write');
  expect(files).toHaveLength(1);
  expect((await ops<Written>('direct-entry', 'write')).files).toEqual([]);
  const name = files[0]?.name ?? '';
  expect(await ops('direct-entry', 'lodged', name)).toMatchObject({ result: 'lodged' });
  expect(await ops('direct-entry', 'lodged', join(outboxOf(place), name))).toMatchObject({ result: 'already lodged' });

  expect(await ops('direct-entry', 'not-lodged', name, '--reason', 'the wrong file')).toEqual({
    name,
    result: 'not lodged',
  });
  expect(await ops('direct-entry', 'lodged', name)).toMatchObject({ result: 'lodged' });

  const lines = (await readFile(join(outboxOf(place), name), 'utf8')).split('\r\n');
  const [header = '', detail = '', total = ''] = [lines[0], lines[1], lines.at(-1)];
  const [day, userId] = [header.slice(74, 76), header.slice(56, 62)];
  const returned = `2${detail.slice(1, 17)}6${detail.slice(18, 112)}${day}${userId}`;
  const returns = join(place.dataDir, 'returns.txt');
  await writeFile(returns, [header, returned, total].join('\r\n'));
  expect(await ops('direct-entry', 'returns', returns)).toMatchObject({
    result: 'read',
    returned: 1,
    settled: { returned: 1 },
  });
  expect(await ops('direct-entry', 'returns', returns)).toMatchObject({ result: 'already read' });

  expect(await ops<{ violations: string[] }>('audit')).toMatchObject({ violations: [] });
  expect(await stopProduct(program)).toBe(0);
});

test('a product with supporters changes from Zepto to bank files and back, by configuration and one command', async () => {
  const place = await aPlace();
  const liveWith = async (payments: 'zepto' | 'direct-entry', days: number) => {
    const here = { ...place, env: { PAYMENTS: payments } };
    const program = startProduct(here);
    await untilReady(program);
    expect(await runOps(here, 'register-mandates')).toEqual({ registered: 1, refused: [] });
    // The product holds its timetable's lock for a moment after its start.
    await expect(() => runOps(here, 'advance', '--days', String(days))).toPass();
    expect(await runOps(here, 'audit')).toMatchObject({ violations: [] });
    expect(await stopProduct(program)).toBe(0);
  };
  await liveWith('zepto', 4);
  await expect(readdir(outboxOf(place))).rejects.toThrow('ENOENT');
  await liveWith('direct-entry', 4);
  const files = await readdir(outboxOf(place));
  expect(files.length).toBeGreaterThan(0);
  await liveWith('zepto', 3);
  expect(await readdir(outboxOf(place))).toEqual(files);
});
