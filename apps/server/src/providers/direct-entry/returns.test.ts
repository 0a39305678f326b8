import { isoDate } from '@sparechange/domain';
import { describe, expect, test } from 'vitest';
import { aReturnsFile, type TestReturn } from '../testing/returns-file.ts';
import { decodeReturns, latestDayNumbered } from './returns.ts';

const joan: TestReturn = { reference: 'RU1A2B3C4D5E6F', code: 6, amountCents: 335, originalDay: '20' };

// Columns 2-17 hold our account and 81-96 the customer's, as in a real file of the National Australia Bank.
const golden = [
  '0                 01NAB       SPARECHANGE               123456RETURNS     231126',
  '2032-000   1234566130000000335SMITH JOAN                      RU1A2B3C4D5E6F    062-000 12345678SPARECHANGE     20123456',
  '7999-999            000000033500000000000000000335                        000001',
];

test('a return names its order, its reason and the day it was processed', () => {
  expect(decodeReturns(golden.map((line) => line.padEnd(120)).join('\r\n'))).toEqual([
    {
      line: 2,
      code: 6,
      amountCents: 335,
      reference: 'RU1A2B3C4D5E6F',
      accounts: ['032000 123456', '062000 12345678'],
      processedOn: '2026-11-20',
      userId: '123456',
    },
  ]);
});

describe('read the same', () => {
  const expected = decodeReturns(aReturnsFile([joan]));
  test.each([
    ['with a line end after the last record', (text: string) => `${text}\r\n`],
    ['with plain line ends', (text: string) => text.replaceAll('\r\n', '\n')],
    ['with empty lines after it', (text: string) => `${text}\r\n\r\n`],
    ['with the spaces at line ends gone', (text: string) => text.replace(/ +(?=\r\n|$)/g, '')],
    ['after a byte order mark', (text: string) => `\uFEFF${text}`],
  ])('%s', (_name, changed) => expect(decodeReturns(changed(aReturnsFile([joan])))).toEqual(expected));

  test('with the accounts the other way round', () => {
    const [swapped] = decodeReturns(aReturnsFile([{ ...joan, isSwapped: true }]));
    expect(swapped).toMatchObject({ reference: joan.reference, code: 6 });
    expect(swapped?.accounts).toEqual(expected[0]?.accounts.toReversed());
  });
});

test('a file without returns has none', () => expect(decodeReturns(aReturnsFile([]))).toEqual([]));

test.each([
  ['an empty file', ''],
  ['a page of the bank', '<html><body>Your session has ended</body></html>'],
  ['half a file', aReturnsFile([joan]).slice(0, 244)],
  ['a file of debits', aReturnsFile([joan]).replace(/\n2/, '\n1')],
  ['a file with a line too long', aReturnsFile([joan]).replace('SPARECHANGE  ', 'SPARECHANGE     ')],
  ['a file that is no text', aReturnsFile([joan]).replace('SMITH', 'SM\0TH')],
  ['a file with an amount that is none', aReturnsFile([joan]).replace('0000000335', '00000A0335')],
  ['a file of no day', aReturnsFile([joan]).replace('231126', '319926')],
])('%s is not taken for returns', (_name, text) => {
  expect(() => decodeReturns(text)).toThrow(expect.objectContaining({ name: 'BankFileProblem' }));
});

test('an amount that cannot be read is named by its line and columns', () =>
  expect(() => decodeReturns(aReturnsFile([joan]).replace('0000000335', '00000A0335'))).toThrow(
    'Line 2 has no amount that can be read: its columns 21 to 30 are no number of cents.',
  ));

test.each([
  ['20', '2026-11-23', '2026-11-20'],
  ['23', '2026-11-23', '2026-11-23'],
  ['24', '2026-11-23', '2026-10-24'],
  ['31', '2026-03-01', '2026-01-31'],
  ['30', '2027-01-04', '2026-12-30'],
  ['29', '2027-03-10', '2027-01-29'],
  ['00', '2026-11-23', undefined],
  ['32', '2026-11-23', undefined],
  ['  ', '2026-11-23', undefined],
])('day %s in a file of %s is %s', (day, fileDay, expected) =>
  expect(latestDayNumbered(day, isoDate(fileDay))).toBe(expected),
);
