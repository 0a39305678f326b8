import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBankingDay, isDebitDay } from './banking-calendar.ts';
import { addDays, isoDate, sydneyDay, sydneyTime } from './days.ts';
import { comesAgain, lastRunThatMustBeDone, makesUpOn, timetableOf } from './timetable.ts';

const tasks = (on: string) => timetableOf(isoDate(on)).map(({ task, dueAt }) => `${task} ${dueAt.toISOString()}`);

test('a debit day: purchases and outcomes first, then the run, then what is paid out, then outcomes as they come in', () => {
  expect(tasks('2026-11-25')).toEqual([
    'audit 2026-11-24T14:00:00.000Z',
    'reconcile 2026-11-24T14:30:00.000Z',
    'retention 2026-11-24T14:45:00.000Z',
    'consent-poll 2026-11-24T16:00:00.000Z',
    'end-pauses 2026-11-24T16:30:00.000Z',
    'consent-run 2026-11-24T16:45:00.000Z',
    'sync 2026-11-24T17:00:00.000Z',
    'mandate-poll 2026-11-24T18:15:00.000Z',
    'settle 2026-11-24T18:30:00.000Z',
    'debit-run 2026-11-24T19:00:00.000Z',
    'remit 2026-11-24T23:00:00.000Z',
    'savings-run 2026-11-24T23:30:00.000Z',
    'settle 2026-11-25T01:00:00.000Z',
    'onboarding-reminder 2026-11-25T07:30:00.000Z',
    'settle 2026-11-25T08:00:00.000Z',
    'sync 2026-11-25T09:00:00.000Z',
  ]);
});

test('a banking day without a run', () => {
  expect(timetableOf(isoDate('2026-11-26')).map(({ task }) => task)).toEqual([
    'audit',
    'reconcile',
    'retention',
    'consent-poll',
    'end-pauses',
    'consent-run',
    'sync',
    'mandate-poll',
    'settle',
    'remit',
    'savings-run',
    'settle',
    'debit-notice',
    'onboarding-reminder',
    'settle',
    'sync',
  ]);
});

test('the evening before a run its emails are queued, also before one postponed by a holiday', () => {
  expect(tasks('2026-11-26')).toContain('debit-notice 2026-11-26T07:00:00.000Z');
  // Friday 25 December is a holiday, and so is the Monday after Boxing Day: the run is on Tuesday.
  const evenings = ['2026-12-24', '2026-12-25', '2026-12-27', '2026-12-28'];
  expect(evenings.filter((on) => tasks(on).some((task) => task.startsWith('debit-notice')))).toEqual(['2026-12-28']);
});

test.each(['2026-11-28', '2026-12-25'])(
  'on %s banks do not work; the books, consents and purchases are looked at all the same',
  (on) => {
    expect(timetableOf(isoDate(on)).map(({ task }) => task)).toEqual([
      'audit',
      'reconcile',
      'retention',
      'consent-poll',
      'end-pauses',
      'consent-run',
      'sync',
      'mandate-poll',
      'onboarding-reminder',
      'sync',
    ]);
  },
);

test('tasks are in order of time, on their own day, and a run is exactly where there is a debit day', () => {
  const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2045-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(day, (date) => {
      const on = isoDate(date.toISOString().slice(0, 10));
      const due = timetableOf(on);
      expect(due.map(({ dueAt }) => dueAt)).toEqual(
        due.map(({ dueAt }) => dueAt).toSorted((a, b) => a.getTime() - b.getTime()),
      );
      expect(due.every(({ dueAt }) => sydneyDay(dueAt) === on)).toBe(true);
      expect(due.filter(({ task }) => task === 'debit-run')).toHaveLength(isDebitDay(on) ? 1 : 0);
      expect(due.filter(({ task }) => task === 'settle')).toHaveLength(isBankingDay(on) ? 3 : 0);
      expect(due.filter(({ task }) => task === 'debit-notice')).toHaveLength(isDebitDay(addDays(on, 1)) ? 1 : 0);
      for (const paying of ['remit', 'savings-run'])
        expect(due.filter(({ task }) => task === paying)).toHaveLength(isBankingDay(on) ? 1 : 0);
    }),
    // the days on which clocks change
    { examples: [[new Date('2027-04-04')], [new Date('2027-10-03')]] },
  );
});

test.each([
  ['2026-11-24T19:59:59Z', '2026-11-23', 'just before seven on a Wednesday it is Monday’s run'],
  ['2026-11-24T20:00:00Z', '2026-11-25', 'at seven the run of six must have happened'],
  ['2026-11-28T05:00:00Z', '2026-11-27', 'on a Saturday it is Friday’s'],
  ['2026-12-27T23:00:00Z', '2026-12-23', 'over Christmas it is the one before'],
])('at %s the last due run is of %s: %s', (now, day) => expect(lastRunThatMustBeDone(new Date(now))).toBe(day));

test('the last due run is a debit day whose time has passed, and no later one has', () => {
  const instant = fc.date({ min: new Date('2024-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(instant, (now) => {
      const day = lastRunThatMustBeDone(now);
      expect(isDebitDay(day)).toBe(true);
      const hourAgo = new Date(now.getTime() - 3_600_000);
      expect(
        timetableOf(day)
          .find(({ task }) => task === 'debit-run')
          ?.dueAt.getTime(),
      ).toBeLessThanOrEqual(hourAgo.getTime());
      const later = addDays(day, 1);
      expect(lastRunThatMustBeDone(new Date(sydneyTime(later, '05:59').getTime()))).toBe(day);
    }),
  );
});

test('a task makes up for its last time on its own days alone; a debit run and its notices never do', () => {
  const [saturday, tuesday] = [isoDate('2026-11-28'), isoDate('2026-11-24')];
  expect([makesUpOn(saturday, 'sync'), makesUpOn(saturday, 'settle'), makesUpOn(tuesday, 'settle')]).toEqual([
    true,
    false,
    true,
  ]);
  expect(makesUpOn(isoDate('2026-11-25'), 'debit-run')).toBe(false);
  expect(makesUpOn(tuesday, 'debit-notice')).toBe(false);
});

test('of the three times of settling the first two come again, and on no day without banks', () => {
  const at = (time: `${number}:${number}`, day = '2026-11-25') =>
    comesAgain({ task: 'settle', dueAt: sydneyTime(isoDate(day), time) });
  expect([at('05:30'), at('12:00'), at('19:00'), at('05:30', '2026-11-28')]).toEqual([true, true, false, false]);
});
