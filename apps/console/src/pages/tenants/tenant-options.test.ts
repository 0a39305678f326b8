import { expect, test } from 'vitest';
import { tenantOptions } from './tenant-options.ts';

test('brands are sorted by name, and brands of the same name show their keys', () => {
  const named = { default: 'Sparechange', ended: 'Winter Appeal', aca: 'Cough and Asthma', sparechange: 'Sparechange' };
  const options = tenantOptions(Object.entries(named).map(([key, name]) => ({ key, name })));
  expect(options).toEqual([
    { value: 'aca', label: 'Cough and Asthma' },
    { value: 'default', label: 'Sparechange (default)' },
    { value: 'sparechange', label: 'Sparechange (sparechange)' },
    { value: 'ended', label: 'Winter Appeal' },
  ]);
});
