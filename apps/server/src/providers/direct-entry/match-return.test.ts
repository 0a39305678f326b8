import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { aReturnsFile, type TestReturn } from '../testing/returns-file.ts';
import { matchReturn } from './match-return.ts';
import { decodeReturns } from './returns.ts';

const entry = { reference: 'RU1', amount: cents(335), state: 'written' as const };

type Held = NonNullable<Parameters<typeof matchReturn>[1]>;

function match(line: Partial<TestReturn>, held: Held | 'none' = entry) {
  const [read] = decodeReturns(aReturnsFile([{ reference: 'RU1', code: 6, amountCents: 335, ...line }]));
  return read && matchReturn(read, held === 'none' ? undefined : held, { userId: '123456' });
}

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9] as const)('code %i returns the order of that reference', (code) =>
  expect(match({ code })).toEqual({ returned: { reference: 'RU1', code } }),
);

test('a cleared order can still come back', () =>
  expect(match({}, { ...entry, state: 'cleared' })).toHaveProperty('returned'));

test.each([
  ['of another user of the bank', { userId: '999999' }, entry, 'user id 999999'],
  ['of an order nobody made', {}, 'none' as const, 'no order'],
  ['of an order that is in no file', {}, { ...entry, state: 'accepted' as const }, 'no file yet'],
  ['of what had come back before', {}, { ...entry, state: 'returned' as const }, 'before'],
  ['of another amount', { amountCents: 336 }, entry, 'another amount'],
  ['without a code', { code: ' ' as const }, entry, 'no return code'],
  ['with code 0', { code: 0 as const }, entry, 'no return code'],
])('a line %s returns nothing and is named by its number', (_name, line, held, words) => {
  const problem = match(line, held);
  expect(problem).toEqual({ problem: expect.stringContaining(words) });
  expect(problem).toEqual({ problem: expect.stringContaining('line 2') });
});

test('a line without an amount says so, and which columns are blank', () => {
  const [read] = decodeReturns(
    aReturnsFile([{ reference: 'RU1', code: 6, amountCents: 335 }]).replace('0000000335', ' '.repeat(10)),
  );
  expect(read && matchReturn(read, entry, { userId: '123456' })).toEqual({
    problem: 'line 2: RU1 comes with no amount: columns 21 to 30 are blank',
  });
});
