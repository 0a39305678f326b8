import { beforeEach, expect, test } from 'vitest';
import { recordMailOutage } from '#features/core/breakers/provider-breakers.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { forgetEverything } from '#testing/makers.ts';
import { answeringOf, situationForToday, situationOf, watchers } from './situation.ts';

const api = ownApp();
beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-24T22:00:00Z');
});

const observe = async (failedJobs = 0) => ({
  ...(await answeringOf(api)),
  peopleRule: async () => ({ people: 2, chosenBy: null }) as const,
  countFailedJobs: async () => failedJobs,
});
const quiet = [
  'now           2026-11-24T22:00:00.000Z',
  'supporters    0',
  'next debits   2026-11-27',
  'open debits   0',
  'open payouts  0',
];

test('a quiet day is told in a few lines', async () => {
  const { json, lines } = await situationOf({ ...(await observe()), operatorMail: 'ops@example.com' });
  expect(lines).toEqual([...quiet, 'approvals     two people are needed for dangerous acts, by default']);
  expect(json).toMatchObject({ supporters: 0, mailsAlarms: true, mailOutage: null, queues: { notifications: 0 } });
});

test('what is wrong is told in the order of the conditions, and Today shows the same values', async () => {
  const at = api.clock.now();
  await recordMailOutage(api.db, { since: at, askAgainAt: at, failure: 'no answer' });
  await api.db`
    insert into provider_breakers (provider, opened_at, open_until, times) values ('bank_link', ${at}, ${at}, 1)`;
  const seen = await observe(3);
  const { json, lines } = await situationOf(seen);
  expect(lines).toEqual([
    ...quiet,
    'FAILED JOBS   3 of the queues: npm run -s ops -- jobs list',
    'ALARM MAILS   go to nobody until OPERATOR_MAIL is set; alarms are in the log and here',
    'MAIL SERVER   unavailable since 2026-11-24T22:00:00.000Z: no answer',
    'BANK LINK     answers nobody since 2026-11-24T22:00:00.000Z',
    'approvals     two people are needed for dangerous acts, by default',
  ]);
  const { unpaid, heldSupporters, approvalsWaiting, failedJobs } = json;
  expect(await situationForToday(seen)).toMatchObject({
    failedPayouts: unpaid,
    holds: heldSupporters,
    approvals: approvalsWaiting,
    failedJobs,
  });
});

test('each watcher is called once a minute', () => {
  expect(new Set(watchers).size).toBe(watchers.length);
});
