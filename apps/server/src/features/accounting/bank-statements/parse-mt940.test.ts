import { expect, test } from 'vitest';
import { parseStatement } from './parse-statement.ts';

const message = (lines: string[], { from = '0,00', to = '12,50', day = '261124', currency = 'AUD' } = {}) =>
  [
    ':20:STMT',
    ':25:062000/123456789',
    ':28C:1/1',
    `:60F:C${day}${currency}${from}`,
    ...lines,
    `:62F:C${day}${currency}${to}`,
    '-',
  ].join('\r\n');
const one = [':61:2611241124C12,50NTRFNONREF//4711', ':86:DEPOSIT CL0123', '456789ABCDEF'];

test('an entry has its day, amount, words over several lines and the id of the bank', () => {
  expect(parseStatement(message(one))).toEqual({
    format: 'MT940',
    account: '062000/123456789',
    openingCents: 0,
    closingCents: 1250,
    closingOn: '2026-11-24',
    lines: [{ id: '4711', bookedOn: '2026-11-24', cents: 1250, text: 'DEPOSIT CL0123 456789ABCDEF' }],
  });
});

test.each([
  ['in the envelope of SWIFT', `{1:F01BANKAU2SAXXX0000000000}{2:O9400000N}{4:\r\n${message(one)}}`],
  ['behind lines of the bank', `BANKAU2S\r\n940\r\n${message(one)}`],
  ['behind a control character', `\u0001\r\n${message(one)}`],
  ['with line feeds alone', message(one).replaceAll('\r', '')],
])('a message %s is read', (_what, file) => {
  expect(parseStatement(Buffer.from(file)).lines).toMatchObject([{ cents: 1250 }]);
});

test.each([
  ['C', 1250],
  ['D', -1250],
  ['RC', -1250], // a credit taken back
  ['RD', 1250],
  ['CD', 1250], // the third letter of AUD behind the mark
  ['DD', -1250],
])('the mark %s means %i cents', (mark, cents) => {
  const to = { from: '100,00', to: cents > 0 ? '112,50' : '87,50' };
  expect(parseStatement(message([`:61:2611241124${mark}12,50NTRFNONREF`], to)).lines).toMatchObject([{ cents }]);
});

test.each([
  ['2701021231', '2026-12-31'],
  ['2612310102', '2027-01-02'],
  ['261124', '2026-11-24'],
  ['261124    ', '2026-11-24'],
  ['2602300301', '2026-03-01'], // months of thirty days
  ['270229', '2027-02-28'],
  ['280229', '2028-02-29'], // a leap year
])('the days %s book an entry on %s', (days, bookedOn) => {
  expect(parseStatement(message([`:61:${days}C12,50NTRFNONREF`])).lines).toMatchObject([{ bookedOn }]);
});

test('words in numbered parts lose the codes, and a word broken between two parts is whole', () => {
  const words = ':86:166?00DIRECT CREDIT?20REF CL0123456789ABC?21DEF?30BANKAU2S?31123456?32ZEPTO';
  expect(parseStatement(message([one[0] ?? '', words])).lines[0]?.text).toBe(
    'DIRECT CREDIT REF CL0123456789ABCDEF ZEPTO',
  );
});

test('several messages of one account are one statement, in whichever order they stand', () => {
  const monday = message([':61:2611231123C10,NTRFNONREF'], { to: '10,', day: '261123' });
  const tuesday = message([':61:2611241124C2,5NTRFNONREF'], { from: '10,', to: '12,5' });
  for (const file of [`${monday}\r\n${tuesday}`, `${tuesday}\r\n${monday}`])
    expect(parseStatement(file)).toMatchObject({
      openingCents: 0,
      closingCents: 1250,
      lines: [{ cents: 1000 }, { cents: 250 }],
    });
});

test.each([
  [message(one, { to: '13,50' }), 'The lines lead to a balance of $12.50, the file says $13.50.'],
  [message(one, { currency: 'NZD' }), 'the opening balance: NZD is not AUD.'],
  [message([':61:nothing']), 'entry 1: "nothing" is not one such as 2611241124C12,50NTRFNONREF//4711.'],
  [message([':61:2613241124C12,50NTRFNONREF']), 'entry 1: "261324" is not a day'],
  [message([':61:2611241332C12,50NTRFNONREF']), 'entry 1: "1332" is not a day'],
  [message([':61:2611241124C12,505NTRFNONREF']), 'is not an amount of whole cents'],
  [message(one).replace(/:62F.*/, ''), 'the file has no closing balance (62F)'],
  [
    message(one) + message(one).replace('123456789', '987654321').replace(':20:', '\r\n:20:'),
    'statements of several accounts',
  ],
])('a message that is not one statement of booked dollars is refused', (file, words) => {
  expect(() => parseStatement(file)).toThrow(words);
});
