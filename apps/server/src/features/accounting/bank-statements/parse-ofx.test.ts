import { expect, test } from 'vitest';
import { parseStatement } from './parse-statement.ts';

const header = 'OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nENCODING:USASCII\r\nCHARSET:1252\r\n\r\n';
const transaction = (more = '', day = '20261124', amount = '12.50') =>
  `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>${day}<TRNAMT>${amount}<FITID>F1${more}</STMTTRN>`;
const statement = (transactions: string, more = '', account = '123456789') =>
  `<STMTTRNRS><TRNUID>1<STMTRS><CURDEF>AUD<BANKACCTFROM><BANKID>062000<ACCTID>${account}<ACCTTYPE>CHECKING</BANKACCTFROM>` +
  `<BANKTRANLIST><DTSTART>20261123<DTEND>20261124${transactions}</BANKTRANLIST>${more}</STMTRS></STMTTRNRS>`;
const file = (content: string) => `${header}<OFX><BANKMSGSRSV1>${content}</BANKMSGSRSV1></OFX>`;
const balance = (amount: string, day: string) => `<LEDGERBAL><BALAMT>${amount}<DTASOF>${day}</LEDGERBAL>`;

test('a transaction has its day, amount, words and id; the balance is that of its day', () => {
  const written = file(
    statement(transaction('<NAME>ZEPTO<MEMO>SETTLEMENT &amp; MORE'), balance('+112.50', '20261124')),
  );
  expect(parseStatement(written)).toEqual({
    format: 'OFX',
    account: '062000 123456789',
    closingCents: 11_250,
    closingOn: '2026-11-24',
    lines: [{ id: 'F1', bookedOn: '2026-11-24', cents: 1250, text: 'ZEPTO SETTLEMENT & MORE' }],
  });
});

const xml = (content: string) =>
  `<?xml version="1.0" encoding="USASCII"?><?OFX OFXHEADER="200" VERSION="211"?><OFX><BANKMSGSRSV1>${content}</BANKMSGSRSV1></OFX>`;
const closed = (content: string) => content.replace(/<([A-Z]+)>([^<]+)(?=<)/g, '<$1>$2</$1>');

test.each([
  ['OFX 2, in XML', xml(closed(statement(transaction('<NAME>A'))))],
  ['ends of texts', file(closed(statement(transaction('<NAME>A'))))],
  ['an empty element', file(statement(transaction('<NAME>A<MEMO>\r\n<CHECKNUM>')))],
  ['no line ends', file(statement(transaction('<NAME>A'))).replace(/[\r\n]+(?=<)/g, '')],
  ['small letters', file(statement(transaction('<NAME>A'))).replace(/<\/?[A-Z]+/g, (name) => name.toLowerCase())],
])('a file with %s is read', (_what, content) => {
  expect(parseStatement(Buffer.from(content)).lines).toMatchObject([{ cents: 1250, text: 'A' }]);
});

test.each([
  ['20261124', '2026-11-24'],
  ['20261124233000', '2026-11-24'], // without a zone, the bank's own time
  ['20261123140000.000[0:GMT]', '2026-11-24'],
  ['20261124233000[+11:AEDT]', '2026-11-24'],
  ['20261124120000[-5:EST]', '2026-11-24'], // noon stands for the day alone
])('a time written %s is of %s', (written, bookedOn) => {
  expect(parseStatement(file(statement(transaction('', written)))).lines).toMatchObject([{ bookedOn }]);
});

test.each([
  ['-12.5', -1250],
  ['+12.50', 1250],
  ['12,50', 1250],
  ['0012.500', 1250],
])('an amount written %s is %i cents', (written, cents) => {
  expect(parseStatement(file(statement(transaction('', undefined, written)))).lines).toMatchObject([{ cents }]);
});

test('a balance of a later day than the transactions is left out, as lines between may be missing', () => {
  expect(parseStatement(file(statement(transaction(), balance('99.00', '20261126'))))).not.toHaveProperty(
    'closingCents',
  );
});

test('words that the memo repeats are written once, and without words the kind is left', () => {
  const [repeated, without] = ['<NAME>ZEPTO SETT<MEMO>ZEPTO SETTLEMENT', ''].map(
    (more) => parseStatement(file(statement(transaction(more)))).lines[0]?.text,
  );
  expect([repeated, without]).toEqual(['ZEPTO SETTLEMENT', 'CREDIT']);
});

test.each([
  [file(statement(transaction())).replace('<CURDEF>AUD', '<CURDEF>NZD'), 'the account: its currency "NZD" is not AUD.'],
  [
    file(statement(transaction('<CURRENCY><CURRATE>1.1<CURSYM>USD</CURRENCY>'))),
    'transaction 1: its currency "USD" is not AUD.',
  ],
  [file(statement(transaction('', '20261324'))), 'transaction 1: "20261324" is not a day'],
  [file(statement(transaction('', undefined, '12.505'))), 'is not an amount of whole cents'],
  [file(statement('<STMTTRN><FITID>1</STMTTRN>')), 'transaction 1 has no amount or no day.'],
  [file(statement(transaction()) + statement(transaction(), '', '987654321')), 'statements of several accounts'],
  [file(statement(transaction())).slice(0, -40), 'a part of it is missing'],
  [file('<CCSTMTTRNRS><CCSTMTRS></CCSTMTRS></CCSTMTTRNRS>'), 'This OFX file is of a credit card.'],
  [file('<STMTRS>'.repeat(30)), 'nested more deeply'],
])('a file that is not of booked dollars on one account is refused', (content, words) => {
  expect(() => parseStatement(content)).toThrow(words);
});

test('the currency of a purchase abroad says nothing of the amount in dollars', () => {
  const more = '<ORIGCURRENCY><CURRATE>1.1<CURSYM>USD</ORIGCURRENCY>';
  expect(parseStatement(file(statement(transaction(more)))).lines).toMatchObject([{ cents: 1250 }]);
});
