import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isoDate } from '@sparechange/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aTenant } from '#testing/makers.ts';
import { brandName, hasEnded, loadTenants, tenantA } from './load-tenants.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sparechange-tenants-'));
  await give('default');
});
afterEach(() => rm(folder, { recursive: true }));

async function give(key: string, changes: Record<string, unknown> = {}): Promise<void> {
  const { key: _key, minimumDebitCents: _default, ...settings } = aTenant({ key });
  await writeFile(join(folder, `${key}.json`), JSON.stringify({ ...settings, ...changes }));
}

test('each file is a tenant under its key, with the defaults filled in', async () => {
  await give('riverside-rovers', { minimumDebitCents: 100, endsOn: '2026-12-31' });
  const tenants = await loadTenants(folder);
  expect(tenants.list().map(({ key }) => key)).toEqual(['default', 'riverside-rovers']);
  expect(tenants.byKey('default')?.minimumDebitCents).toBe(0);
  expect(tenants.byKey('riverside-rovers')).toMatchObject({ minimumDebitCents: 100, endsOn: '2026-12-31' });
  expect(tenants.byKey('nobody')).toBeUndefined();
});

test('a brand is called by its name, with its key where another has the same', async () => {
  await give('rovers', { name: 'Rovers' });
  await give('other-rovers', { name: 'Rovers' });
  await give('league', { name: 'Bay League' });
  const tenants = await loadTenants(folder);
  const names = ['rovers', 'other-rovers', 'league', 'nobody'].map((key) => brandName(tenants, key));
  expect(names).toEqual(['Rovers (rovers)', 'Rovers (other-rovers)', 'Bay League', 'nobody']);
});

test('the redirects and files that are no settings are left alone', async () => {
  await writeFile(join(folder, 'redirects.json'), '{"verify":{},"confirmed":[],"consented":{}}');
  await writeFile(join(folder, 'README.md'), 'hello');
  expect((await loadTenants(folder)).list()).toHaveLength(1);
});

test('a pair of headers names a tenant only when both are of one tenant', async () => {
  await give('riverside-rovers');
  const tenants = await loadTenants(folder);
  expect(tenants.byKeys('apikey-of-tenant-riverside-rovers', 'riverside_rovers')?.key).toBe('riverside-rovers');
  expect(tenants.byKeys('apikey-of-tenant-riverside-rovers', 'default')).toBeUndefined();
  expect(tenants.byKeys('apikey-of-tenant-riverside-rovers', undefined)).toBeUndefined();
  expect(tenants.byKeys(undefined, 'default')).toBeUndefined();
  expect(tenants.byKeys(['apikey-of-tenant-default'], 'default')).toBeUndefined();
});

test('the hyphen form of a tenant is the underscore form with hyphens', () => {
  expect(tenantA(aTenant({ tenant: 'riverside_rovers_fc' }))).toBe('riverside-rovers-fc');
});

test('every file that is wrong is named with what is wrong in it', async () => {
  await give('rovers', { apikey: 'short', theme: { primary: 'red' } });
  await give('league', { tenant: 'Has-Capitals' });
  await expect(loadTenants(folder)).rejects.toThrow(
    /league\.json: tenant: [\s\S]*rovers\.json: apikey: [\s\S]*rovers\.json: theme\.primary: /,
  );
});

test('a tenant without a name, or with spaces for one, is refused', async () => {
  for (const name of ['', '   ']) {
    await give('rovers', { name });
    await expect(loadTenants(folder)).rejects.toThrow('rovers.json: name: Please enter a name');
  }
});

test('a smallest debit that is no number of cents is refused in words', async () => {
  for (const minimumDebitCents of ['', 'abc', 1.5, -1]) {
    await give('rovers', { minimumDebitCents });
    await expect(loadTenants(folder)).rejects.toThrow(
      'rovers.json: minimumDebitCents: Please use a whole number of cents, 0 or more',
    );
  }
});

test('a file that is not JSON is named, beside the others that are wrong', async () => {
  await writeFile(join(folder, 'broken.json'), '{"name": ');
  await give('rovers', { apikey: 'short' });
  await expect(loadTenants(folder)).rejects.toThrow(/broken\.json: [\s\S]*rovers\.json: apikey/);
});

test('two tenants with one apikey are refused', async () => {
  await give('rovers', { apikey: 'apikey-of-tenant-default' });
  await expect(loadTenants(folder)).rejects.toThrow('two tenants share one apikey');
});

test('without default.json there are no tenants', async () => {
  await rm(join(folder, 'default.json'));
  await expect(loadTenants(folder)).rejects.toThrow('default.json is missing');
});

test('a campaign has ended from the day it ends on', () => {
  const tenant = aTenant({ endsOn: '2026-11-25' });
  expect(['2026-11-24', '2026-11-25', '2026-11-26'].map((day) => hasEnded(tenant, isoDate(day)))).toEqual([
    false,
    true,
    true,
  ]);
  expect(hasEnded(aTenant(), isoDate('2999-12-31'))).toBe(false);
});
