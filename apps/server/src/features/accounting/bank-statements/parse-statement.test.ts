import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { identifyLines } from './line-identity.ts';
import { parseCamt053 } from './parse-camt053.ts';
import { parseCsvStatement } from './parse-csv.ts';

test('a CSV file has its columns by name, in any order, with quotes if a cell needs them', () => {
  const file =
    'Description,Balance,Amount,Date,Reference\r\n"TRANSFER, OUT","1,000.00","-1,234.50",2026-11-25,CL0123456789ABCDEF\r\n';
  expect(parseCsvStatement(file)).toEqual({
    openingCents: 223_450,
    closingCents: 100_000,
    hasRunningBalance: true,
    lines: [{ bookedOn: '2026-11-25', cents: -123_450, text: 'TRANSFER, OUT CL0123456789ABCDEF' }],
  });
});

test('cells with line ends, blank lines and quotes inside words keep line numbers right', () => {
  const file = 'date,amount,description\r\n\n2026-11-25,-5,5" pipe\n,,\n2026-11-25,-6,"two\nlines"\n2026-11-31,1,x';
  expect(parseCsvStatement(file.replace('31', '30')).lines.map(({ text }) => text)).toEqual([
    '5" pipe',
    'two\nlines',
    'x',
  ]);
  expect(() => parseCsvStatement(file)).toThrow('line 7: "2026-11-31" is not a day');
});

test('a comma at the end of a line, or an empty column, is no value', () => {
  const file = 'date,amount,description,,\n2026-11-30,"-1,234.50",x,,,\n2026-11-30,1.00,y\n';
  expect(parseCsvStatement(file).lines.map((line) => line.cents)).toEqual([-123_450, 100]);
});

test.each(['2026-12-03', '03/12/2026', '3/12/2026', '03-12-2026'])('a CSV may write a day as %s, day first', (day) => {
  expect(parseCsvStatement(`date,amount,description\n${day},1,x`).lines[0]?.bookedOn).toBe('2026-12-03');
});

test.each([
  ['date,amount\n', 'must name the columns description'],
  ['date,amount,description\n2026-11-31,1,x', '"2026-11-31" is not a day'],
  ['date,amount,description\n2026-11-25xyz,1,x', '"2026-11-25xyz" is not a day'],
  ['date,amount,description\n12/31/2026,1,x', '"12/31/2026" is not a day'],
  ['date,amount,description\n31/12-2026,1,x', '"31/12-2026" is not a day'],
  ['date,amount,description\n31/12/26,1,x', '"31/12/26" is not a day'],
  ['date,amount,description\n2026-11-30,1.234,x', '"1.234" is not an amount'],
  ['date,amount,description\n2026-11-30,"1,50",x', '"1,50" is not an amount'],
  ['date,amount,description,Amount\n2026-11-30,1,x,2', 'names the column amount more than once'],
  ['date,amount,description\n1999-12-31,1,x', '"1999-12-31" is not a day'],
  ['date,amount,description\n2026-11-30,-1,234.50,x', 'line 2 has 4 values for 3 columns'],
  [`date,amount,description\n${'2026-11-30,999999999999.99,x\n'.repeat(2)}`, 'more than $100,000,000,000.00'],
  [`date,amount,description,transaction_id\n2026-11-30,1,x,${'x'.repeat(201)}`, 'more than 200 characters'],
  ['date,amount,description,transaction_id\n2026-11-30,1,x,"a\nb"', "line 3: the bank's id has more"],
  ['date,amount,description\n2026-11-30,1,"x', 'A quoted cell is not closed'],
  ['date,amount,description\n2026-11-30,1,"x"y', 'has text after its closing quote: Invalid Closing Quote'],
])('an invalid CSV file is refused: %j', (file, problem) => {
  expect(() => parseCsvStatement(file)).toThrow(problem);
});

test('a refusal quotes a long cell shortened, without splitting a character', () => {
  const file = `date,amount,description\n2026-11-30,${'9'.repeat(39)}\u{1F600}${'9'.repeat(9)},x`;
  const [refusal] = [file].flatMap((content) => {
    try {
      return parseCsvStatement(content).lines.map(({ text }) => text);
    } catch (error) {
      return (error as Error).message;
    }
  });
  expect(refusal).toContain(`"${'9'.repeat(39)}…" is not an amount`);
  expect(refusal?.isWellFormed()).toBe(true);
});

const entry = (cents: string, direction: string, more = '') => `<Ntry><Amt Ccy="AUD">${cents}</Amt>
  <CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-25</Dt></BookgDt>${more}</Ntry>`;
const balance = (code: string, amount: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="AUD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
const camt = (
  entries: string,
  closing = '8.00',
) => `<?xml version="1.0"?><ns:Document xmlns:ns="urn:x"><ns:BkToCstmrStmt>
  <Stmt><Id>1</Id><Acct><Id><Othr><Id>8029191748212</Id></Othr></Id></Acct>${balance('OPBD', '5.00')}${balance('CLBD', closing)}
  ${entries}</Stmt></ns:BkToCstmrStmt></ns:Document>`;
const two = `${entry('10.00', 'CRDT', '<AcctSvcrRef>A1</AcctSvcrRef><AddtlNtryInf>R&amp;D</AddtlNtryInf>')}
  ${entry('7.00', 'DBIT', '<NtryDtls><TxDtls><Refs><EndToEndId>CL0123456789ABCDEF</EndToEndId></Refs></TxDtls></NtryDtls>')}`;

test('a camt.053 statement gives its booked entries with their contents', () => {
  const pending = entry('3.00', 'CRDT').replace('BOOK', 'PDNG');
  expect(parseCamt053(camt(two + pending))).toEqual({
    account: '8029191748212',
    openingCents: 500,
    closingCents: 800,
    lines: [
      { id: 'A1', bookedOn: '2026-11-25', cents: 1000, text: 'R&D' },
      { bookedOn: '2026-11-25', cents: -700, text: 'CL0123456789ABCDEF' },
    ],
  });
});

test.each(['R&#38;D', '<![CDATA[R&D]]>', 'R<!-- and -->&amp;D', '\n    R&amp;D\r\n  '])(
  'the words of an entry written as %j are R&D',
  (words) => expect(parseCamt053(camt(two.replace('R&amp;D', words))).lines[0]?.text).toBe('R&D'),
);

test.each([
  ['<Dt>2026-11-25</Dt>', '2026-11-25'],
  ['<Dt>2026-11-25+11:00</Dt>', '2026-11-25'],
  ['<DtTm>2026-11-25T23:30:00</DtTm>', '2026-11-25'],
  ['<DtTm>2026-11-25T00:30:00.000+11:00</DtTm>', '2026-11-25'],
  ['<DtTm>2026-11-24T13:30:00Z</DtTm>', '2026-11-25'],
])('an entry of %s is booked on the Sydney day %s', (day, bookedOn) => {
  const file = camt(two.replaceAll('<Dt>2026-11-25</Dt>', day));
  expect(parseCamt053(file).lines.map((line) => line.bookedOn)).toEqual([bookedOn, bookedOn]);
});

test.each(['<Dt>2026-11-25xyz</Dt>', '<DtTm>2026-11-31T00:00:00Z</DtTm>', '<DtTm>2026-11-25T25:00:00Z</DtTm>'])(
  'an entry of %s is refused',
  (day) => expect(() => parseCamt053(camt(two.replaceAll('<Dt>2026-11-25</Dt>', day)))).toThrow('is not a day'),
);

test.each([
  [camt(two, '9.00'), 'lead to a balance of $8.00, the file says $9.00'],
  [camt(two).replace('Ccy="AUD">10', 'Ccy="NZD">10'), 'NZD is not AUD'],
  [camt(entry('999999999999.99', 'CRDT').repeat(100)), 'more than $100,000,000,000.00'],
  [camt(two).replace('A1', 'A'.repeat(9_000)), 'more than 200 characters'],
  [camt(two).replace('8029191748212', '8'.repeat(35)), 'This is no camt.053 statement'],
  [camt(two).replace('>7.00<', '>-7.00<'), 'entry 2: the amount -7.00 has a sign beside DBIT'],
  [camt(two).replace('BOOK', 'book'), 'entry 1 has the unknown state book'],
  [camt(`${two}<__proto__>x</__proto__>`), 'This is no camt.053 statement'],
  [camt(two + '<a>'.repeat(20_000) + '</a>'.repeat(20_000)), 'This is no camt.053 statement'],
  [camt(two).replace('</Stmt>', ''), 'The XML is broken'],
  [camt(two).replace('R&amp;D', '\n&file;'), 'The XML is broken in line 5: undefined entity'],
  [camt(`${two}<AddtlNtryInf a="1" a="2"/>`), 'The XML is broken'],
  ['<Document><Other/></Document>', 'This is no camt.053 statement'],
  [`<!DOCTYPE x [<!ENTITY a "b">]>${camt(two)}`, 'has no document type'],
])('an incomplete file is refused', (file, problem) => {
  expect(() => parseCamt053(file)).toThrow(problem);
});

test('equal lines of one day are distinguished by their place, the same in each file', () => {
  const line = { bookedOn: '2026-11-25' as never, cents: cents(100), text: 'FROM 062000 12345678 CL0123456789ABCDEF' };
  const [one, other] = identifyLines([line, line]);
  expect(other?.id).toBe(`${one?.id}#2`);
  expect(identifyLines([line])[0]?.id).toBe(one?.id);
  expect(one).toMatchObject({ reference: 'CL0123456789ABCDEF', text: 'FROM XX2000 XXXX5678 CL0123456789ABCDEF' });
});

test('an entry that each statement renumbers is known by its day, amount and words', () => {
  const numbered = entry('3.00', 'CRDT', '<NtryRef>1</NtryRef><AddtlNtryInf>DEPOSIT</AddtlNtryInf>');
  const file = camt(numbered);
  const idOf = (content: string) => identifyLines(parseCamt053(content).lines)[0]?.id;
  expect(idOf(file.replace('<NtryRef>1', '<NtryRef>2'))).toBe(idOf(file));
  expect(idOf(file.replace('<Dt>2026-11-25', '<Dt>2026-11-26'))).not.toBe(idOf(file));
  expect(idOf(file.replace('DEPOSIT', 'INTEREST'))).not.toBe(idOf(file));
});

test.each([
  ['TRANSFER OUT CL0C71AB17883DE068', 'CL0C71AB17883DE068'],
  ['TRANSFER OUT cl46bcb98c4f8cb694 ', 'CL46BCB98C4F8CB694'],
  ['TRANSFER OUT REF:CLD6EF03C2993373FA/NOTPROVIDED', 'CLD6EF03C2993373FA'],
  ['TRANSFER OUT REFCL416790A50256534E', 'CL416790A50256534E'],
  ['TRANSFER OUT CLF31BC30BDA FBE791', 'CLF31BC30BDAFBE791'],
  ['SV0123456789\nABCDEFTRANSFER', 'SV0123456789ABCDEF'],
  ['SETTLEMENT 2026-11-24 CLUB 0123456789', null],
  ['FACADE OF THE CLUB DECADE 0123456789ABCDEF', null],
])('our reference is found as banks print it: %s', (text, reference) => {
  const line = { bookedOn: '2026-11-25' as never, cents: cents(100), text };
  expect(identifyLines([line])[0]?.reference).toBe(reference);
});
