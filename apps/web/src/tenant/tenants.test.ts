import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redirects, TenantSettings } from '@sparechange/contract';
import { contrast } from '@sparechange/domain/contrast';
import { oklchOf } from '@sparechange/domain/oklch';
import { tenantColours, weakContrasts } from '@sparechange/domain/tenant-colours';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../../../tenants');
const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const keys = readdirSync(folder)
  .filter((file) => file.endsWith('.json') && file !== 'redirects.json')
  .map((file) => file.replace('.json', ''));
const tenants = keys.map((key) => ({ key, settings: TenantSettings.parse(read(`${key}.json`)) }));
const clubIds = readFileSync(join(folder, 'clubs.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',')[0]);

test('twenty variants ship, each with a key of its own, two under a parent', () => {
  expect(tenants).toHaveLength(20);
  expect(new Set(tenants.map(({ settings }) => settings.apikey)).size).toBe(20);
  expect(tenants.filter(({ settings }) => settings.parentClubId)).toHaveLength(2);
  expect(new Set(tenants.map(({ settings }) => JSON.stringify(settings.theme))).size).toBe(19); // 18 and the default
});

test.each(tenants)(
  '$key names existing logos and clubs, and its identifier in underscore form',
  ({ key, settings }) => {
    expect(settings.tenant).toBe(key.replaceAll('-', '_'));
    for (const logo of [settings.logoURL, settings.logoURLDashboard]) {
      expect(existsSync(join(folder, logo.replace('/tenants/', '')))).toBe(true);
    }
    for (const id of [settings.clubID, settings.parentClubId]) if (id) expect(clubIds).toContain(id);
  },
);

test.each(tenants)('text and edges in the colours of $key can be distinguished', ({ settings }) => {
  expect(weakContrasts(settings)).toEqual([]);
});

test.each(tenants)('at night the hero of $key is still of its colour, with readable text', ({ settings }) => {
  const night = tenantColours(settings, 'dark');
  const [light, dark] = [settings.theme.background, night['--tenant-background']].map(oklchOf);
  if (!light || !dark) throw new Error('two colours are compared');
  const apart = Math.abs(light.hue - dark.hue);
  expect(Math.min(apart, 360 - apart)).toBeLessThanOrEqual(5);
  expect(dark.chroma / light.chroma).toBeGreaterThanOrEqual(0.6);
  expect(contrast(night['--tenant-on-background'], night['--tenant-background'])).toBeGreaterThanOrEqual(4.5);
});

test('the redirects name 15 clubs, 4 rules and 1 club, and tenants that exist', () => {
  const { verify, confirmed, consented } = Redirects.parse(read('redirects.json'));
  expect([Object.keys(verify).length, confirmed.length, Object.keys(consented).length]).toEqual([15, 4, 1]);
  const named = [...Object.values(verify), ...confirmed.map((rule) => rule.tenant), ...Object.values(consented)];
  for (const key of named) expect(keys).toContain(key);
  for (const id of [...Object.keys(verify), ...Object.keys(consented)]) expect(clubIds).toContain(id);
});
