import type { FoundSupporter, SupporterDetails } from '@sparechange/contract/console';
import { expect, test } from 'vitest';
import { aSupporter } from '../../testing/a-supporter.ts';
import { statesOf, statusOf } from './supporter-state.ts';

test('a supporter whose debits were stopped before they were set up is described so', () => {
  const hold = { since: '2026-11-25T00:00:00.000Z', because: 'somebody else registered them' };
  const supporter = { ...aSupporter('one'), hold } as unknown as SupporterDetails;
  expect(statesOf(supporter).map(({ words }) => words)).toEqual([
    'Debits have been stopped since 25 Nov 2026, 11:00\u00a0am: somebody else registered them',
    'They have not finished setting up.',
  ]);
});

test.each([
  [{}, 'good', 'Active'],
  [{ isPaused: true }, 'plain', 'Paused'],
  [{ isPaused: true, isOnHold: true }, 'bad', 'On hold'],
  [{ onboardedOn: null }, 'plain', 'Not set up'],
  [{ onboardedOn: null, isOnHold: true }, 'bad', 'On hold'],
  [{ isClosed: true }, 'plain', 'Closed'],
])('a list of supporters shows the most serious state of each: %j', (given, tone, words) => {
  const active = { isClosed: false, isOnHold: false, isPaused: false, onboardedOn: '2026-11-25' };
  expect(statusOf({ ...active, ...given } as FoundSupporter)).toEqual({ tone, words });
});
