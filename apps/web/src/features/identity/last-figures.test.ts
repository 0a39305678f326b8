import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { readStored, store } from '#api/stored.ts';
import { keepFigures, restoreFigures } from './last-figures.ts';
import { forgetUser } from './present-user.ts';

const at = new Date('2026-11-23T07:05:00Z').getTime();
let stop: () => void;
const day = 24 * 3_600_000;
beforeEach(() => {
  vi.useFakeTimers({ now: at, toFake: ['Date'] });
  store('userId', 'mira');
  stop = keepFigures('mira');
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const year = ['debitsYTD', 'cdrid'];
const fetched = (key: string[], data: unknown) => queryClient.setQueryData(key, data, { updatedAt: at });

test('figures of the dashboard are kept and shown again as of when they were fetched', () => {
  fetched(year, { cents: 342 });
  queryClient.clear();
  restoreFigures('mira');
  expect(queryClient.getQueryState(year)).toMatchObject({ data: { cents: 342 }, dataUpdatedAt: at });
});

test('the club is kept beside its figures', () => {
  fetched(['findClub', 'hounds'], { name: 'Harbour Hounds' });
  queryClient.clear();
  restoreFigures('mira');
  expect(queryClient.getQueryData(['findClub', 'hounds'])).toEqual({ name: 'Harbour Hounds' });
});

test('figures are shown for fourteen days and then forgotten', () => {
  fetched(year, { cents: 342 });
  queryClient.clear();
  vi.setSystemTime(at + 14 * day);
  restoreFigures('mira');
  expect(queryClient.getQueryData(year)).toEqual({ cents: 342 });
  queryClient.clear();
  vi.setSystemTime(at + 14 * day + 1);
  restoreFigures('mira');
  expect(queryClient.getQueryData(year)).toBeUndefined();
  expect(readStored('lastFigures')).toBeUndefined();
});

test('a next debit is shown on its day and left out once that has passed', () => {
  const user = { _id: 'cdrid', nextDebit: { date: '2026-11-25', amountCents: 342 } };
  fetched(['getUser', 'mira'], user);
  queryClient.clear();
  vi.setSystemTime(at + 2 * day);
  restoreFigures('mira');
  expect(queryClient.getQueryData(['getUser', 'mira'])).toEqual(user);
  queryClient.clear();
  vi.setSystemTime(at + 3 * day);
  restoreFigures('mira');
  expect(queryClient.getQueryData(['getUser', 'mira'])).toEqual({ _id: 'cdrid', nextDebit: null });
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
