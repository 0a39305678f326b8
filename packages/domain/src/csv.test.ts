import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csv, textCell } from './csv.ts';
import { cents, dollars } from './money.ts';

test.each([
  ['Robin Banks', '"Robin Banks"'],
  ['Smith, Joan "Joey"', '"Smith, Joan ""Joey"""'],
  ["O'Brien", '"O\'Brien"'],
  ['Zoë Nguyễn', '"Zoë Nguyễn"'],
  ['=HYPERLINK("http://evil.example")', '"\'=HYPERLINK(""http://evil.example"")"'],
  ['+61 400 000 000', '"\'+61 400 000 000"'],
  ['-43.50', '"-43.50"'],
  ['-7', '"-7"'],
  ['-1,000', '"\'-1,000"'],
  ['-.5', '"\'-.5"'],
  ['-2+3', '"\'-2+3"'],
  ['@SUM(A1)', '"\'@SUM(A1)"'],
  ['\t=1+1', '"\'=1+1"'],
  ['\r\n=1+1', '"\'=1+1"'],
  ['＝1+1', '"\'＝1+1"'],
  ['＋1', '"\'＋1"'],
  ['－1', '"\'－1"'],
  ['＠A1', '"\'＠A1"'],
  ['\r=1', '"\'=1"'],
  ['\ufeff=1+1', '"\'=1+1"'],
  ['Two\nlines', '"Two lines"'],
])('%j becomes %s', (text, cell) => expect(textCell(text)).toBe(cell));

test('an outflow stays a number that a spreadsheet sums', () =>
  expect(textCell(dollars(cents(-123_450)))).toBe('"-1234.50"'));

test('no text ends its cell, breaks its line or begins like a formula', () =>
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'=+-@"\',; \t\r\nab＝') }), (text) => {
      const cell = textCell(text);
      const inner = cell.slice(1, -1).replaceAll('""', '');
      expect(inner).not.toMatch(/["\r\n]/);
      expect(cell.slice(1).trimStart()).not.toMatch(/^[=+\-@＝]/);
    }),
  ));

test('every line ends with carriage return and line feed', () =>
  expect(
    csv([
      ['a', '1'],
      ['b', '2'],
    ]),
  ).toBe('a,1\r\nb,2\r\n'));
