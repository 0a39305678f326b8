import { expect, test } from 'vitest';
import { tenantOptions } from './tenant-options.ts';

test('brands of one name have their keys beside it', () => {
  const named = { aca: 'Cough and Asthma', default: 'Sparechange', sparechange: 'Sparechange' };
  const tenants = Object.entries(named).map(([key, name]) => ({ key, name }));
  const labels = tenantOptions(tenants).map(({ label }) => label);
  expect(labels).toEqual(['Cough and Asthma', 'Sparechange (default)', 'Sparechange (sparechange)']);
  expect(tenantOptions(tenants).map(({ value }) => value)).toEqual(Object.keys(named));
});
