import { expect, test } from 'vitest';
import { parseStatement } from './parse-statement.ts';

const day = (
  records: string[],
  { account = '062000123456789', on = '261124', status = '1', trailer = '49,0,0/' } = {},
) =>
  [
    `02,CUSTOMER,BANK,${status},${on},0000,AUD,2/`,
    `03,${account},AUD,${records[0]}`,
    ...records.slice(1),
    trailer,
    '98,0,1,0/',
  ].join('\r\n');
const file = (...days: string[]) => ['01,BANK,CUSTOMER,261125,0800,1,80,1,2/', ...days, '99,0,1,0/', ''].join('\r\n');
const header = '010,100000,,,015,101250,,/';

test('a day has its balances in cents without a point, and lines by their codes', () => {
  const written = file(
    day([header, '16,195,2000,0,R1,OWN,DEPOSIT, CL0123', '88,456789ABCDEF', '16,475,750,0,R2,,CHEQUE/']),
  );
  expect(parseStatement(written)).toEqual({
    format: 'BAI2',
    account: '062000123456789',
    openingCents: 100_000,
    closingCents: 101_250,
    closingOn: '2026-11-24',
    lines: [
      { bookedOn: '2026-11-24', cents: 2000, text: 'DEPOSIT, CL0123 456789ABCDEF', further: 'R1 OWN' },
      { bookedOn: '2026-11-24', cents: -750, text: 'CHEQUE', further: 'R2' },
    ],
  });
});

test('the Australian form has codes and amounts alone in an account, and a reference and words in a line', () => {
  const written = file(
    day(['015,101250,100,000001250,102,000000001/', '16,399,1250,0,R1,SETTLEMENT/'], { trailer: '49,104500,103250/' }),
  );
  expect(parseStatement(written)).toMatchObject({
    closingCents: 101_250,
    lines: [{ cents: 1250, text: 'SETTLEMENT' }],
  });
});

test.each([
  ['S,100,200,300', 'the days on which parts can be used'],
  ['V,261126,', 'the day on which it can be used'],
  ['D,2,0,100,1,200', 'any number of such days'],
  ['', 'nothing of it'],
])('words are found behind funds that say %s: %s', (funds) => {
  const written = file(day([header, `16,195,1250,${funds},R1,OWN,DEPOSIT/`]));
  expect(parseStatement(written).lines).toMatchObject([{ cents: 1250, text: 'DEPOSIT' }]);
});

test.each([
  ['1', 1],
  ['+00000000000834000', 834_000],
])('an amount written %s is %i cents', (written, cents) => {
  expect(parseStatement(file(day(['/', `16,195,${written},,R,O,X/`]))).lines).toMatchObject([{ cents }]);
});

test('a number of days that is none ends the reading of a header', () => {
  expect(parseStatement(file(day(['010,100000,,D,-3,1,2/']))).openingCents).toBe(100_000);
});

test('several days of one account are one statement', () => {
  const [monday, tuesday] = [
    day(['010,0,,,015,1000,,/', '16,195,1000,,R,O,A/'], { on: '261123' }),
    day(['010,1000,,,015,1250,,/', '16,195,250,,R,O,B/']),
  ];
  expect(parseStatement(file(tuesday, monday))).toMatchObject({ openingCents: 0, closingCents: 1250 });
});

test.each([
  [file(day([header, '16,195,1000,,R,O,X/'])), 'The lines lead to a balance of $1,010.00, the file says $1,012.50.'],
  [file(day([header]).replace(/49,.*/, '')), 'a part of it is missing'],
  [file(day([header])).replace(/99,.*/, ''), 'a part of it is missing'],
  [
    file(day([header, '16,195,1250,,R,O,X/'], { trailer: '49,202501,3/' })),
    'come to $2,025.00, the file says $2,025.01',
  ],
  [file(day([header, '16,195,1250,,R,O,X/'], { status: '2' })), 'line 2: the group corrects or deletes an earlier one'],
  [file(day([header, '16,720,1250,,R,O,X/'])), 'the code "720" does not say whether money came or left'],
  [file(day([header, '16,195,-1250,,R,O,X/'])), 'a minus beside the code 195 of incoming money'],
  [file(day([header, '16,195,12.50,,R,O,X/'])), 'line 4: "12.50" is not an amount in cents'],
  [file(day([header], { on: '261324' })), '"261324" is not a day'],
  [file(day([header])).replace(',AUD,010', ',NZD,010'), 'the currency "NZD" of the account is not AUD'],
  [file(day([header]), day([header], { account: '062000987654321' })), 'statements of several accounts'],
])('a file that is not whole, or not of booked dollars on one account, is refused', (content, words) => {
  expect(() => parseStatement(content)).toThrow(words);
});
