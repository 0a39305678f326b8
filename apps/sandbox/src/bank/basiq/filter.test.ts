import { expect, test } from 'vitest';
import { holds, parseFilter } from './filter.ts';
import { transactionFilter } from './transactions.ts';

test('conditions are joined by commas, also when a value has one', () => {
  expect(
    parseFilter("account.id.eq('a,b'),transaction.postDate.bt('2026-01-01', '2026-01-31')", transactionFilter),
  ).toEqual([
    { property: 'account.id', operator: 'eq', values: ['a,b'] },
    { property: 'transaction.postDate', operator: 'bt', values: ['2026-01-01', '2026-01-31'] },
  ]);
  expect(parseFilter(undefined, transactionFilter)).toEqual([]);
});

test.each([
  "account.id.gt('a')",
  'account.id.eq(a)',
  "account.id.eq('a'",
  "account.id.eq('a'),",
  "account.name.eq('a')",
  "transaction.postDate.bt('2026-01-01')",
  'nonsense',
])('%s is refused', (filter) => {
  expect(() => parseFilter(filter, transactionFilter)).toThrow('invalid format or unsupported');
});

test.each([
  ['eq', ['b'], [false, true, false]],
  ['ne', ['b'], [true, false, true]],
  ['gt', ['b'], [false, false, true]],
  ['gteq', ['b'], [false, true, true]],
  ['lt', ['b'], [true, false, false]],
  ['lteq', ['b'], [true, true, false]],
  ['bt', ['a', 'b'], [true, true, false]],
] as const)('%s compares', (operator, values, expected) => {
  const condition = { property: 'account.id', operator, values: [...values] };
  expect(['a', 'b', 'c'].map((value) => holds(condition, value))).toEqual(expected);
});
