import { expect, test, vi } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { aClock } from '#testing/makers.ts';
import { alarmInWords, listAlarms, raiseAlarm } from './alarms.ts';

const database = ownDatabase();
const clock = aClock();

test('the console gets the page of an alarm, and people with shell access also its command', async () => {
  const error = vi.fn();
  const deps = { db: database.pool, clock, log: { error } };
  const alarm = { about: 'RU1', sentence: 'It waits.' };
  await raiseAlarm(deps, { ...alarm, name: 'debit_overdue', see: { page: 'Payments', reference: 'RU1' } });
  await raiseAlarm(deps, { ...alarm, name: 'jobs_failed', see: { page: 'Jobs', command: 'jobs list' } });
  await raiseAlarm(deps, { ...alarm, name: 'mails_bouncing', see: { page: 'Mail' } });
  await raiseAlarm(deps, { ...alarm, name: 'supporter_work_late' });

  const words = [
    'It waits. See Payments in the console, or: npm run -s ops -- payment show RU1',
    'It waits. See Jobs in the console, or: npm run -s ops -- jobs list',
    'It waits. See Mail in the console.',
    'It waits.',
  ];
  expect(error.mock.calls.map(([, text]) => text)).toEqual(words);
  const listed = await listAlarms(database.pool, new Date(0), 10);
  expect(listed.map(alarmInWords)).toEqual(words);
  expect(listed.map(({ sentence, page, reference }) => [sentence, page, reference])).toEqual([
    ['It waits.', 'Payments', 'RU1'],
    ['It waits.', 'Jobs', null],
    ['It waits.', 'Mail', null],
    ['It waits.', null, null],
  ]);
  const mailed = await database.rows`select facts ->> 'sentence' as sentence from mails order by id`;
  expect(mailed.map(({ sentence }) => sentence)).toEqual(words);
});
