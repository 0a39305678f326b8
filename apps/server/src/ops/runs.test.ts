import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { consentRunAnswer, remitAnswer, savingsAnswer } from './runs.ts';

const refused = [{ id: 'one', cents: cents(1204), reason: 'invalid BSB' }];

test('a savings run lists refusals, and fails for them, and payments without an answer', () => {
  const run = { month: '2026-10', deposits: 2, totalCents: cents(2408), refused: [], unknown: 0 };
  expect(savingsAnswer(run)).toMatchObject({ text: '2026-10: 2 deposits, $24.08', failed: false });
  const { text, failed } = savingsAnswer({ ...run, refused, unknown: 3 });
  expect(text.split('\n')).toEqual([
    '2026-10: 2 deposits, $24.08',
    '  refused deposit one of $12.04: invalid BSB',
    '  3 without an answer so far: retried automatically',
  ]);
  expect(failed).toBe(true);
});

test('a remittance lists amounts kept, refusals, and payments without an answer', () => {
  const kept = [{ club: 'Rovers', cents: cents(80), reason: 'no bank details' as const, clubId: 'rovers' }];
  const { text, failed } = remitAnswer({ clubs: 1, totalCents: cents(91), kept, refused, unknown: 1 });
  expect(text.split('\n')).toEqual([
    '1 club, $0.91',
    '  withheld $0.80 of Rovers: no bank details',
    '  refused remittance one of $12.04: invalid BSB',
    '  1 without an answer so far: retried automatically',
  ]);
  expect(failed).toBe(true);
});

test('a look at consents blames the bank link for nothing, and fails for a fault of ours', () => {
  const run = { ended: 1, reminded: 2, deleted: 3, failed: 4, faults: 1, stopped: 0, leftToWorkers: 5 };
  expect(consentRunAnswer(run)).toMatchObject({
    text: '1 ended, 2 reminded, bank data of 3 deleted; 4 failed and are tried again, 5 are left to the workers',
    failed: true,
  });
  expect(consentRunAnswer({ ...run, faults: 0 }).failed).toBe(false);
});
