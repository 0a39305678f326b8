import { cents, isoDate, noCents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { type Run, stateOfRun } from './list-runs.ts';
import type { RunProgress } from './run-progress.ts';

const at = new Date('2026-11-24T19:00:00Z');
const none = { debits: 0, cents: noCents };
const some = { debits: 2, cents: cents(3_40) };
const nothing = { planned: none, submitting: none, submitted: none, cleared: none, failed: none, deferred: none };
const sent: Run = {
  date: isoDate('2026-11-25'),
  plannedAt: at,
  finishedAt: at,
  confirmedAt: null,
  suspendedAt: null,
  suspendedBecause: null,
  isAnomaly: false,
  resumedAt: null,
  ...some,
};

test.each<[state: string, run: Partial<Run>, progress: Partial<RunProgress>]>([
  ['planned', { finishedAt: null }, { planned: some }],
  ['running', { finishedAt: null, plannedAt: null }, {}],
  ['running', { finishedAt: null }, { planned: some, submitted: some }],
  ['waiting', {}, { submitted: some, cleared: some, failed: some }],
  ['complete', {}, { cleared: some, deferred: some }],
  ['complete', {}, {}],
  ['complete_with_returns', {}, { cleared: some, failed: some }],
  ['suspended', { finishedAt: null, suspendedAt: at }, { planned: some }],
  ['complete', { suspendedAt: at }, { cleared: some }],
])('a run is %s by the outcomes of its debits', (state, run, progress) =>
  expect(stateOfRun({ ...sent, ...run }, { ...nothing, ...progress })).toBe(state),
);

test('a run whose debits could not be counted is called sent', () => {
  expect(stateOfRun(sent, null)).toBe('finished');
});
