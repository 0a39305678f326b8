import { cents, isoDate } from '@sparechange/domain';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { withSessionLock } from '#db/session-lock.ts';
import { alarmComposer, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { watchMails } from '#features/core/alarms/watch-mails.ts';
import { recordBounce } from '#features/core/outbox/outbox-repository.ts';
import { sendMails } from '#features/core/outbox/send-mails.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { runTimetable } from '#jobs/timetable/run-timetable.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { type FakeMailer, fakeMailer } from '#testing/fake-mailer.ts';
import { aPurchase, forgetEverything, type TestSupporter } from '#testing/makers.ts';
import { tasksDueBy, timeOf } from '#testing/timetable.ts';
import { missedRun, watchRuns } from './detect-missed-runs.ts';
import { runDebits, runDueDebits } from './run-debits.ts';
import { findSuspension, resumeRuns } from './suspended-runs.ts';

const api = ownApp();
let mailer: FakeMailer;
let written: string[];
beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-24T22:00:00Z'); // Wednesday, nine in the morning
  mailer = fakeMailer();
  written = [];
});

const log = pino({}, { write: (line: string) => void written.push(line) });
const watch = async (operatorMail?: string) => {
  await watchRuns({ ...api, log });
  await watchMails({ ...api, log });
  await sendMails({ ...api, log, mailer, compose: alarmComposer(operatorMail) });
};
const timetableOfTheDayBefore = () => api.rows`
  insert into timetable_runs (task, due_at, finished_at) values ('sync', ${timeOf('sync', '2026-11-24')}, now())`;

test('a run that was due and did not happen is logged and emailed once', async () => {
  await timetableOfTheDayBefore();
  expect(await missedRun(api.db, api.clock)).toBe('2026-11-25');
  for (let minute = 0; minute < 3; minute += 1) await watch('ops@example.com');
  expect(written).toHaveLength(1);
  expect(written[0]).toContain('The debit run of 2026-11-25 was due and has not been finished.');
  expect(mailer.sentTo('ops@example.com')).toMatchObject([{ subject: 'Sparechange: debit run missed' }]);
  expect(await api.metrics.text()).toContain('debit_run_missed 1\n');
});

test('a run that happened, scheduled or made by hand, is not missed, and neither is one before the product ran', async () => {
  await watch();
  await timetableOfTheDayBefore();
  await runDebits(api);
  await watch();
  expect(written).toEqual([]);
  expect(await api.metrics.text()).toContain('debit_run_missed 0\n');
});

const later = (minutes: number) =>
  api.clock.setTo(new Date(api.clock.now().getTime() + minutes * 60_000).toISOString());

test('a run being submitted is not missed until five hours after its time', async () => {
  await timetableOfTheDayBefore();
  await withSessionLock(api.db, 'submit debits', async () => {
    expect(await missedRun(api.db, api.clock)).toBe('2026-11-25'); // by a donation alone
    await api.rows`insert into debit_runs (run_date, planned_at) values ('2026-11-25', now())`;
    expect(await missedRun(api.db, api.clock)).toBeUndefined();
    api.clock.setTo('2026-11-25T00:00:00Z');
    expect(await missedRun(api.db, api.clock)).toBe('2026-11-25');
  });
});

test('a run stopped because the provider did not answer has not happened until it is finished', async () => {
  await timetableOfTheDayBefore();
  for (let count = 0; count < 5; count += 1) {
    const supporter = await api.supporter();
    await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [aPurchase(supporter)]);
  }
  api.directDebit.failNext(...Array<'time-out after effect'>(5).fill('time-out after effect'));
  await expect(runDebits(api)).rejects.toMatchObject({ code: 'provider-unavailable' });
  expect(await missedRun(api.db, api.clock)).toBe('2026-11-25');
  later(1);
  await runDebits(api);
  expect(await missedRun(api.db, api.clock)).toBeUndefined();
});

test('an unavailable mail server is tried again and raises an alarm; one that refuses is not tried again', async () => {
  await timetableOfTheDayBefore();
  mailer.failNext('server unavailable', 20);
  for (let minute = 0; minute < 20; minute += 1) {
    await watch('ops@example.com');
    later(1);
  }
  expect(mailer.sent).toEqual([]);
  mailer.recover();
  later(60);
  await watch('ops@example.com');
  expect(mailer.sent.map(({ subject }) => subject).toSorted()).toEqual([
    'Sparechange: debit run missed',
    'Sparechange: mail server unavailable',
  ]);
  await forgetEverything(api.db);
  await timetableOfTheDayBefore();
  mailer.failNext('for good', 2);
  for (let minute = 0; minute < 5; minute += 1) await watch('ops@example.com');
  expect(mailer.sent).toHaveLength(2);
  expect(written.at(-1)).toContain('1 mail (recipient: operator) could not be delivered');
});

test('many addresses bouncing on one day are logged once, unless they are few of those emailed', async () => {
  const bounce = async () => {
    const { supporterId, email } = await api.supporter();
    await recordBounce(api.db.of(supporterId), supporterId, email, api.clock.now(), '550 no such user');
  };
  for (let count = 0; count < 20; count += 1) await bounce();
  await watch();
  expect(written).toEqual([]);
  await bounce();
  const recordSent = (count: number) => api.rows`
    insert into mails (recipient, key, facts, queued_at, due_at, sent_at)
    select 'club', 'sent ' || n, '{}', ${api.clock.now()}, ${api.clock.now()}, ${api.clock.now()} from generate_series(1, ${count}::int) n`;
  await recordSent(2_100);
  await watch();
  expect(written).toEqual([]);
  await api.rows`delete from mails where key = 'sent 2100'`;
  for (let minute = 0; minute < 2; minute += 1) await watch();
  expect(written).toHaveLength(1);
  expect(written[0]).toContain('21 addresses rejected their emails today, and 2,099 emails were sent');
});

test('an alarm raised before an address was configured is emailed to it for three days', async () => {
  await timetableOfTheDayBefore();
  await watch();
  later(24 * 60);
  await watch('ops@example.com');
  expect(mailer.sent).toMatchObject([{ subject: 'Sparechange: debit run missed' }]);
  await raiseAlarm({ ...api, log }, { name: 'debits_refused', about: 'old', sentence: 'Old.' });
  later(4 * 24 * 60);
  await watch('ops@example.com');
  expect(mailer.sent.filter(({ text }) => text.startsWith('Old.'))).toEqual([]);
});

test('without an address the email of an alarm is finished after three days', async () => {
  await timetableOfTheDayBefore();
  await watch();
  later(4 * 24 * 60);
  await watch();
  const open = await api.rows`select 1 from mails where given_up_at is null and queued_at < ${api.clock.now()}`;
  expect(open).toEqual([]);
});

test('a run with most balances unreadable raises one alarm, and one with readable balances raises none', async () => {
  const guarded: TestSupporter[] = [];
  for (let count = 0; count < 3; count += 1) guarded.push(await api.supporter({ floor: 50_00 }));
  const buys = async (day: string) => {
    for (const supporter of guarded)
      await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [aPurchase(supporter, { day })]);
  };
  await buys('2026-11-24');
  for (const { bankCustomerId } of guarded.slice(0, 2)) api.bankLink.setUnreachable(true, bankCustomerId);
  expect(await runDebits(api)).toMatchObject({ submitted: 1, skipped: { 'not readable': 2 } });
  for (const { bankCustomerId } of guarded) api.bankLink.setUnreachable(false, bankCustomerId);
  for (let minute = 0; minute < 3; minute += 1) await watch('ops@example.com');
  expect(mailer.sent).toHaveLength(1);
  expect(mailer.sent[0]?.text).toContain('The balances of 2 of 3 debits of 2026-11-25 could not be read');
  const raised = () => api.rows`select name, about from alarms`;
  expect(await raised()).toEqual([{ name: 'balances_unreadable', about: '2026-11-25' }]);
  api.clock.setTo('2026-11-26T22:00:00Z');
  await buys('2026-11-26');
  expect(await runDebits(api)).toMatchObject({ submitted: 3, skipped: {} });
  await watch('ops@example.com');
  expect(await raised()).toHaveLength(1);
});

test('an unusual scheduled run suspends debiting with an alarm, and the other tasks of the day continue', async () => {
  const supporter = await api.supporter({ step: 500, ceilingCents: 100_000_00 });
  await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [aPurchase(supporter)]);
  await runDebits(api, isoDate('2026-11-24'), { force: true });
  const purchases = Array.from({ length: 300 }, () => aPurchase(supporter, { cents: 1 }));
  await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), purchases);
  await api.rows`
    insert into debit_runs (run_date, finished_at, debits, cents)
    select day, day, 5, 10000 from generate_series('2026-11-09'::date, '2026-11-23', interval '2 days') as day`;
  const done: string[] = [];
  const failures: string[] = [];
  const tick = () =>
    runTimetable({
      ...api,
      carryOut: async ({ task }, day) => task === 'debit-run' && runDueDebits(api, day),
      onDone: ({ task }) => done.push(task),
      onFailure: (_due, error) => failures.push((error as Error).message),
    });
  await tick();
  api.clock.setTo('2026-11-25T00:00:00Z');
  await tick();
  expect(failures).toEqual([expect.stringContaining('is unusual'), expect.stringContaining('Debiting is suspended')]);
  expect(done).toEqual(tasksDueBy(api.clock.now()).filter((task) => task !== 'debit-run'));
  expect(done.slice(-2)).toEqual(['remit', 'savings-run']);
  await watch('ops@example.com');
  await watch('ops@example.com');
  expect(mailer.sent).toMatchObject([{ subject: 'Sparechange: debiting suspended' }]);
  expect(mailer.sent[0]?.text).toMatch(/since the run of 2026-11-25: the run of 1 debit .* is unusual/);
  expect(await api.metrics.text()).toContain('debiting_suspended 1\n');
  expect(await runDebits(api, isoDate('2026-11-25'), { confirmed: cents(1_000_000_00) })).toMatchObject({ planned: 1 });
  expect(await findSuspension(api.db)).toBeUndefined();
  await resumeRuns(api.db, api.clock);
  expect(await missedRun(api.db, api.clock)).toBeUndefined();
});
