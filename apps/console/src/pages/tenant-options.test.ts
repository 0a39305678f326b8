import { expect, test } from 'vitest';
import { tenantOptions } from './tenant-options.ts';

test('brands are in the order of their names, and those of one name have their keys beside it', () => {
  const named = { default: 'Sparechange', ended: 'Winter Appeal', aca: 'Cough and Asthma', sparechange: 'Sparechange' };
  const options = tenantOptions(Object.entries(named).map(([key, name]) => ({ key, name })));
  expect(options).toEqual([
    { value: 'aca', label: 'Cough and Asthma' },
    { value: 'default', label: 'Sparechange (default)' },
    { value: 'sparechange', label: 'Sparechange (sparechange)' },
    { value: 'ended', label: 'Winter Appeal' },
  ]);
});
