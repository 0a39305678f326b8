import type { SupporterDetails } from '@sparechange/contract/console';
import { expect, test } from 'vitest';
import { aSupporter } from '../testing/a-supporter.ts';
import { statesOf } from './supporter-state.ts';

test('a supporter whose debits were stopped before they were set up is said to be so', () => {
  const hold = { since: '2026-11-25T00:00:00.000Z', because: 'somebody else registered them' };
  const supporter = { ...aSupporter('one'), hold } as unknown as SupporterDetails;
  expect(statesOf(supporter).map(({ words }) => words)).toEqual([
    'Debits have been stopped since 25 Nov 2026, 11:00 am: somebody else registered them',
    'They have not finished setting up.',
  ]);
});
