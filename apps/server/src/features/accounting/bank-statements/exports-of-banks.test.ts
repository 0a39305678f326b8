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
  'Westpac without headings': `"032000123456",18/11/2026,"${out}",12.50,,1987.50,PAYMENT,
"032000123456",17/11/2026,"${into}",,2000.00,2000.00,DEP,
`,
  'Westpac Corporate Online': `TRAN_DATE,ACCOUNT_NO,ACCOUNT_NAME,CCY,CLOSING_BAL,AMOUNT,TRAN_CODE,NARRATIVE,SERIAL
20261118,032000123456,TRUST ACCOUNT,AUD,1987.50,-12.50,050,${out},1234567
20261117,032000123456,TRUST ACCOUNT,AUD,2000.00,2000.00,009,${into},
`,
  'Westpac Corporate Online without headings': `20261118,032000123456,TRUST ACCOUNT,AUD,1987.50,-12.50,050,${out},1234567
20261117,032000123456,TRUST ACCOUNT,AUD,2000.00,2000.00,009,${into},
`,
  'Westpac Corporate Online without balances': `TRAN_DATE,ACCOUNT_NO,ACCOUNT_NAME,CCY,AMOUNT,TRAN_CODE,NARRATIVE,SERIAL
20261118,032000123456,TRUST ACCOUNT,AUD,-12.50,050,${out},1234567
20261117,032000123456,TRUST ACCOUNT,AUD,2000.00,009,${into},
`,
  'Westpac Corporate Online by segments': `TRAN_DATE,ACCOUNT_NO,SEGMENT_ID,CCY,CLOSING_BAL,AMOUNT,TRAN_CODE,NARRATIVE,SERIAL
20261118,032000123456,,AUD,1987.50,-12.50,050,${out},1234567
20261117,032000123456,032000654321,AUD,2000.00,2000.00,009,${into},
`,
  'Westpac extended': `Transaction date,Account number,Account name,Currency code,Closing balance,Transaction amount,Transaction code,Narrative,Serial number,Segment account number,Payment Information ID,Instruction ID,Transaction ID,Value Date,Transaction Date/Time,Debtor Name,Creditor Name,End To End Id,Remittance Information/Unstructured 1,Remittance Information/Unstructured 2,PayId Type,PayId Value,Reversal Reason Code,Original Transaction Id
20261118,032000123456,TRUST ACCOUNT,AUD,1987.50,-12.50,050,${out},1234567,,,,,,,,,,,,,,,
20261117,032000123456,TRUST ACCOUNT,AUD,2000.00,2000.00,009,${into},,032000654321,,,X1,20261117,,ZEPTO,CLUB,E1,SETTLEMENT,,,,,
`,
  'ANZ with the payer’s words': `18/11/2026,-12.50,${out},PAYROLL,REF 1,,,\n17/11/2026,2000.00,${into},,,,,\n`,
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

const corporate = 'TRAN_DATE,ACCOUNT_NO,ACCOUNT_NAME,CCY,CLOSING_BAL,AMOUNT,TRAN_CODE,NARRATIVE,SERIAL';
const ofCorporate = (...rows: [day: string, balance: string, amount: string, words: string][]) =>
  [
    corporate,
    ...rows.map(([day, balance, amount, words]) => `${day},032000123456,TRUST,AUD,${balance},${amount},,${words},`),
  ].join('\r\n');

test.each([
  ['oldest first', (rows: Parameters<typeof ofCorporate>) => rows],
  ['newest first', (rows: Parameters<typeof ofCorporate>) => rows.toReversed()],
])('Westpac names the balance of the day’s end beside each movement, and on a day without any: %s', (_how, order) => {
  const rows: Parameters<typeof ofCorporate> = [
    ['20261117', '2012.50', '2000.00', into],
    ['20261117', '2012.50', '12.50', into],
    ['20261118', '2012.50', '', ''],
    ['20261119', '2000.00', '-12.50', out],
  ];
  const read = parseStatement(ofCorporate(...order(rows)));
  expect(read).toMatchObject({ bank: 'Westpac', account: '032000123456', openingCents: 0, closingCents: 200_000 });
  expect(read.lines).toHaveLength(3);
  expect(read.unproven).toBeUndefined();
});

test('a missing movement contradicts the balances at the ends of days', () => {
  const { unproven } = parseStatement(
    ofCorporate(['20261117', '2000.00', '2000.00', into], ['20261118', '1975.00', '-12.50', out]),
  );
  expect(unproven?.cents).toBe(1250);
});

test('a movement of words without an amount is no balance alone', () => {
  expect(() => parseStatement(ofCorporate(['20261117', '2000.00', '', into]))).toThrow('"" is not an amount');
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

test.each([
  '24 Nov 2026',
  '24 November 2026',
  '24-Nov-26',
  '24Nov26',
  '24.11.2026',
  '24/11/2026 10:31',
  '24 nov 26',
  '20261124',
])('a day written %s is read', (day) => {
  expect(parseStatement(`date,amount,description\n${day},1.00,X`).lines[0]?.bookedOn).toBe('2026-11-24');
});

test.each(['24/11/26', '26/11/24', '24 Nox 26', '31 Feb 2026', '24 Ma 26'])('a day written %s is refused', (day) => {
  expect(() => parseStatement(`date,amount,description\n${day},1.00,X`)).toThrow('is not a day');
});
