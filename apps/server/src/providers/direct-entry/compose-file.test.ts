import { cents, isoDate, noCents } from '@sparechange/domain';
import { describe, expect, test } from 'vitest';
import type { WaitingEntry } from '#ports/direct-entry-book.ts';
import { someSettings } from '../testing/direct-entry-settings.ts';
import { decodeAba, maxCents } from './aba.ts';
import { accountProblem, orderProblem } from './check-order.ts';
import { composeFile, nextFileOf, processDay } from './compose-file.ts';

const settings = someSettings('/nowhere');
const wednesday = isoDate('2026-11-25');

const waits = (reference: string, overrides: Partial<WaitingEntry> = {}): WaitingEntry => ({
  reference,
  amount: cents(100),
  dueOn: wednesday,
  remitter: 'SPARECHANGE',
  account: { name: 'Zoë Nguyễn', bsb: '062000', accountNumber: '12345678' },
  ...overrides,
});

describe('the day an order is processed on', () => {
  test.each([
    ['the day it is due', '2026-11-25', '2026-11-25', 0, '2026-11-25'],
    ['today, when it is overdue', '2026-11-23', '2026-11-25', 0, '2026-11-25'],
    ['Monday, when it is due on a Saturday', '2026-11-28', '2026-11-25', 0, '2026-11-30'],
    ['after Christmas, when it is due on the 25th', '2026-12-25', '2026-12-20', 0, '2026-12-29'],
    ['the next banking day, when the bank wants the file a day before', '2026-11-25', '2026-11-25', 1, '2026-11-26'],
    ['Monday, when Friday is too late for it', '2026-11-27', '2026-11-27', 1, '2026-11-30'],
    ['the day it is due, when there is time enough', '2026-11-27', '2026-11-25', 1, '2026-11-27'],
  ])('%s', (_name, dueOn, today, lead, expected) =>
    expect(processDay(isoDate(dueOn), isoDate(today), lead)).toBe(expected),
  );
});

describe('what goes into one file', () => {
  const next = (waiting: WaitingEntry[], overrides = {}) =>
    nextFileOf(waiting, wednesday, { ...settings, ...overrides })?.entries.map(({ reference }) => reference);

  test('nothing, when nothing waits', () => expect(next([])).toBeUndefined());
  test('only orders processed on one day', () =>
    expect(next([waits('A'), waits('B', { dueOn: isoDate('2026-11-26') })])).toEqual(['A']));
  test('no more records than the bank takes, its balancing line among them', () => {
    const waiting = [waits('A'), waits('B'), waits('C')];
    expect(next(waiting, { maxRecords: 3 })).toEqual(['A', 'B']);
    expect(next(waiting, { maxRecords: 3, isBalanced: false })).toEqual(['A', 'B', 'C']);
  });
  test('no more than its ten digits of cents hold', () => {
    const half = { amount: cents((maxCents + 1) / 2) };
    expect(next([waits('A', half), waits('B', half), waits('C')])).toEqual(['A']);
  });
});

test('a file is in plain letters, ordered by account, balanced on our own account', () => {
  const entries = [
    waits('B', { account: { name: '李小龙', bsb: '063-000', accountNumber: '9' } }),
    waits('A', {
      account: { name: 'Maximiliana Featherstonehaugh-Cholmondeley', bsb: '063000', accountNumber: '00-8' },
    }),
    waits('C'),
  ];
  const { content, contentHash, totalCents } = composeFile(
    'debit',
    'debits-2026-11-25-1.aba',
    { processOn: wednesday, entries },
    settings,
  );
  expect(decodeAba(content).details.map(({ title, bsb, account, code }) => [title, bsb, account, code])).toEqual([
    ['ZOE NGUYEN', '062000', '12345678', 13],
    ['ACCOUNT HOLDER', '063000', '9', 13],
    ['M FEATHERSTONEHAUGH-CHOLMONDELEY', '063000', '008', 13],
    ['SPARECHANGE PTY LTD', '032000', '123456', 50],
  ]);
  expect(totalCents).toBe(300);
  const again = composeFile(
    'debit',
    'debits-2026-11-25-1.aba',
    { processOn: wednesday, entries: entries.toReversed() },
    settings,
  );
  expect(again.contentHash).toBe(contentHash);
});

describe('what does not fit is refused with its reason, and the reason does not repeat the number', () => {
  const name = 'Zoë Nguyễn';
  test.each([
    ['1234567890', '10 digits'],
    ['123456789012', '12 digits'],
    ['000000', 'all zeros'],
    ['12X4', 'not made of digits'],
    ['', 'not made of digits'],
  ])('%s', (accountNumber, words) => {
    const problem = accountProblem({ name, bsb: '062000', accountNumber });
    expect(problem).toContain(words);
    if (accountNumber) expect(problem).not.toContain(accountNumber);
  });
  test('nine digits fit, with hyphens and spaces', () =>
    expect(accountProblem({ name, bsb: '062-000', accountNumber: '123-456 789' })).toBeUndefined());
  test('a name of which one word is longer than an account title', () => {
    const long = 'Llanfairpwllgwyngyllgogerychwyrndrobwll';
    const problem = accountProblem({ name: `Ann ${long}`, bsb: '062-000', accountNumber: '1' });
    expect(problem).toContain('name');
    expect(problem).not.toContain(long);
  });
  test('a BSB has six digits', () =>
    expect(accountProblem({ name, bsb: '62000', accountNumber: '1' })).toContain('BSB'));
  test.each([
    [{ amount: noCents }, 'cents'],
    [{ amount: cents(maxCents + 1) }, 'cents'],
    [{ reference: 'ru1' }, 'reference'],
    [{ reference: 'R'.repeat(19) }, 'reference'],
    [{ remitter: 'A VERY LONG NAME!' }, '16'],
  ])('%o', (wrong, words) =>
    expect(orderProblem({ amount: cents(1), reference: 'RU1', remitter: 'SPARECHANGE', ...wrong })).toContain(words),
  );
});
