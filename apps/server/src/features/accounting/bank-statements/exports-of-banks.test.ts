import { expect, test } from 'vitest';
import { parseStatement } from './parse-statement.ts';

const [out, into] = ['CLUB PAYOUT', 'ZEPTO SETTLEMENT'];

/** Exports of the same two days by each bank: $2,000.00 came on the 17th, $12.50 left on the 18th. */
const exports: Record<string, string> = {
  'Commonwealth Bank': `18/11/2026,"-12.50","${out}","+1987.50"\r\n17/11/2026,"+2000.00","${into}","+2000.00"\r\n`,
  ANZ: `18/11/2026,"-12.50","${out}"\r\n17/11/2026,"2000.00","${into}"\r\n`,
  'ANZ with empty columns behind': `18/11/2026,-12.50,${out},,,,\n17/11/2026,2000.00,${into},,,,\n`,
  Bendigo: `"18/11/2026","-12.50","${out}"\n"17/11/2026","2000.00","${into}"\n`,
  'Bendigo with headings': `"Date","Amount","Description"\n"18/11/2026","-12.50","${out}"\n"17/11/2026","2000.00","${into}"\n`,
  NAB: `Date,Amount,Account Number,,Transaction Type,Transaction Details,Balance,Category,Merchant Name,Processed On
18 Nov 26,-12.5,123456789,,TRANSFER DEBIT,${out},1987.50,Transfers out,,18 Nov 26
17 Nov 26,2000,123456789,,INTER-BANK CREDIT,${into},2000.00,,,17 Nov 26
`,
  'NAB Connect': `Date,Amount,Account Number,,Transaction Type,Transaction Details,Balance,Category,Merchant Name
18-Nov-26,-12.50,123456789,,TRANSFER DEBIT,${out},1987.50,,
17-Nov-26,2000.00,123456789,,TRANSFER CREDIT,${into},2000.00,,
`,
  'NAB before 2022': `"18 Nov 26","-12.50","123456789",,"TRANSFER DEBIT","${out}","+1987.50"
"17 Nov 26","+2000.00","123456789",,"TRANSFER CREDIT","${into}","+2000.00"
`,
  Westpac: `Bank Account,Date,Narrative,Debit Amount,Credit Amount,Balance,Categories,Serial
"032000123456",18/11/2026,"${out}",12.50,,1987.50,PAYMENT,
"032000123456",17/11/2026,"${into}",,2000.00,2000.00,DEP,
`,
  Macquarie: `Transaction Date,Details,Account,Category,Subcategory,Tags,Notes,Debit,Credit,Balance,Original Description
"18 Nov 2026","Payout","Trust account","Transfers","Payments","","","12.5","","1987.50","${out}"
"17 Nov 2026","Settlement","Trust account","Transfers","Deposits","","","","2000","2000.00","${into}"
`,
  ING: `Date,Description,Credit,Debit,Balance
18/11/2026,${out},,-12.50,1987.50
17/11/2026,${into},2000.00,,2000.00
`,
};

test.each(Object.entries(exports))('%s: an export imports as it is', (bank, file) => {
  const { lines, openingCents, closingCents, unproven } = parseStatement(Buffer.from(file));
  expect(lines).toMatchObject([
    { bookedOn: '2026-11-18', cents: -1250, text: out },
    { bookedOn: '2026-11-17', cents: 200_000, text: into },
  ]);
  expect(unproven).toBeUndefined();
  if (/balance|1987/i.test(file)) expect([bank, openingCents, closingCents]).toEqual([bank, 0, 198_750]);
});

test('numbers of accounts are taken from the columns that name ours', () => {
  expect(parseStatement(exports.Westpac ?? '').account).toBe('032000123456');
  expect(parseStatement(exports.NAB ?? '').account).toBe('123456789');
  expect(parseStatement(exports.Macquarie ?? '').account).toBeUndefined();
});

test('a description that the customer may edit tells a line, but does not identify it', () => {
  expect(parseStatement(exports.Macquarie ?? '').lines[0]).toMatchObject({ text: out, further: 'Payout' });
});

const sides = (...rows: string[]) => ['Date,Description,Debit,Credit', ...rows].join('\n');

test.each([
  [
    'outgoing money with and without a minus',
    sides('18/11/2026,A,12.50,', '18/11/2026,B,-1.00,'),
    'line 2: debit "12.50", credit "": some outgoing amounts have a minus and others none',
  ],
  ['two amounts', sides('18/11/2026,A,12.50,1.00'), 'a line has one amount, in one of the two columns'],
  [
    'no amount',
    sides('18/11/2026,OPENING BALANCE,,'),
    'the line has no amount. Delete it if it tells a balance alone.',
  ],
  ['incoming money with a minus', sides('18/11/2026,A,,-1.00'), 'incoming money has no minus'],
])('a row with %s is refused', (_what, file, words) => {
  expect(() => parseStatement(file)).toThrow(words);
});

test('a zero beside an amount is no second amount', () => {
  expect(parseStatement(sides('18/11/2026,A,0.00,1.00', '18/11/2026,B,2.00,0.00')).lines).toMatchObject([
    { cents: 100 },
    { cents: -200 },
  ]);
});

test.each(['24 Nov 2026', '24 November 2026', '24-Nov-26', '24Nov26', '24.11.2026', '24/11/2026 10:31', '24 nov 26'])(
  'a day written %s is read',
  (day) => {
    expect(parseStatement(`date,amount,description\n${day},1.00,X`).lines[0]?.bookedOn).toBe('2026-11-24');
  },
);

test.each(['24/11/26', '26/11/24', '24 Nox 26', '31 Feb 2026', '24 Ma 26'])('a day written %s is refused', (day) => {
  expect(() => parseStatement(`date,amount,description\n${day},1.00,X`)).toThrow('is not a day');
});
