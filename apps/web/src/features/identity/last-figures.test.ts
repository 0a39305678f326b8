import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { readStored, store } from '#api/stored.ts';
import { keepFigures, restoreFigures } from './last-figures.ts';
import { forgetUser } from './present-user.ts';

const at = new Date('2026-11-23T07:05:00Z').getTime();
let stop: () => void;
beforeEach(() => {
  store('userId', 'mira');
  stop = keepFigures('mira');
});
afterEach(() => stop());

const year = ['debitsYTD', 'cdrid'];
const fetched = (key: string[], data: unknown) => queryClient.setQueryData(key, data, { updatedAt: at });

test('figures of the dashboard are kept and shown again as of when they were fetched', () => {
  fetched(year, { cents: 342 });
  queryClient.clear();
  restoreFigures('mira');
  expect(queryClient.getQueryState(year)).toMatchObject({ data: { cents: 342 }, dataUpdatedAt: at });
});

test('purchases and accounts are never kept', () => {
  fetched(['retrieveHistory', 'cdrid'], [{ description: 'COFFEE' }]);
  fetched(['accounts', 'mira'], [{ name: 'Everyday' }]);
  fetched(year, { cents: 342 });
  expect(readStored('lastFigures')).not.toMatch(/COFFEE|Everyday/);
});

test('another user is shown none of them, and none are left once their user has gone', () => {
  fetched(year, { cents: 342 });
  queryClient.clear();
  restoreFigures('robin');
  expect(queryClient.getQueryData(year)).toBeUndefined();
  forgetUser();
  expect(readStored('lastFigures')).toBeUndefined();
  fetched(year, { cents: 343 }); // an answer that was on its way
  expect(readStored('lastFigures')).toBeUndefined();
});

test.each(['no JSON', '{"build":"another build","userId":"mira","answers":[]}', '{}'])('%s is not read', (text) => {
  localStorage.setItem('lastFigures', text);
  restoreFigures('mira');
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
});
