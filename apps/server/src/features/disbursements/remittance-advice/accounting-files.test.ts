import { addUpPayout, cents, isoDate, type PayoutDay, printableLine, total } from '@sparechange/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsv } from '#csv.ts';
import { parseStatement } from '#features/accounting/bank-statements/parse-statement.ts';
import { myobCsv, payoutStatement, xeroCsv } from './accounting-files.ts';
import { AdviceFacts } from './advice-repository.ts';

const day = fc
  .date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2027-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => isoDate(date.toISOString().slice(0, 10)));
const amount = fc.integer({ min: 0, max: 5_000_00 }).map(cents);
const payoutDay: fc.Arbitrary<PayoutDay> = fc
  .record({ day, supporters: fc.nat(500), gross: amount, returned: amount, savings: amount })
  .map((each) => ({ ...each, net: cents(each.gross - each.returned - each.savings) }));
const adjustment = fc.record({
  day: fc.option(day),
  kind: fc.constantFrom('correction' as const, 'reserve' as const),
  cents: fc.integer({ min: -900_00, max: 900_00 }).map(cents),
});
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('=HYPERLINK("http://evil")', '+61', '-1', '@SUM(A1)', '\t=1', '"', 'a,b\r\nc;d', '＝1', '‮=1'),
);

/** Advices whose days and adjustments add up to the deposit. */
const advices = fc.array(
  fc
    .record({
      name: hostileText,
      days: fc.array(payoutDay, { maxLength: 6 }),
      adjustments: fc.array(adjustment, { maxLength: 3 }),
      paidOn: day,
      number: fc.nat(),
    })
    .map(({ name, days, adjustments, paidOn, number }): AdviceFacts => {
      const adjustmentTotal = total(adjustments.map((each) => each.cents));
      const deposit = cents(total(days.map(({ net }) => net)) + adjustmentTotal);
      const topUp = deposit > 0 ? cents(0) : cents(1 - deposit); // a deposit is above zero
      const last = { day: null, kind: 'correction' as const, cents: topUp };
      return AdviceFacts.parse({
        version: 2,
        club: { id: 'club', name, abn: null },
        reference: `RM${String(number).padStart(16, '0')}`,
        paidOn,
        days,
        adjustments: [...adjustments, last],
        supporters: 5,
        totals: addUpPayout(days, cents(deposit + topUp), cents(adjustmentTotal + topUp)),
        forecast: null,
      });
    }),
  { minLength: 1, maxLength: 4 },
);

const isNumber = (cell: string) => /^-?\d+(\.\d+)?$/.test(cell);
const centsOf = (cell = '') => Math.round(Number(cell) * 100);
/** Returns whether a spreadsheet takes a cell for text or a plain number, never for a formula. */
const isSafe = (cell: string) =>
  cell === '*Date' || cell === '*Amount' || isNumber(cell) || !/^[\s\p{Cf}]*[=+\-@＝＋－＠]/u.test(cell);

/** Returns a CSV file's rows unchanged, blank cells included. */
const rowsIn = (text: string) => readCsv(text).map(({ cells }) => cells);

test('lines for Xero add up to the deposits of a club with any name', () =>
  fc.assert(
    fc.property(advices, hostileText, hostileText, (facts, payee, income) => {
      const [head = [], ...rows] = rowsIn(xeroCsv(facts, payee, { income }));
      expect(head.slice(0, 2)).toEqual(['*Date', '*Amount']);
      expect(rows.every((row) => row.length === head.length && row.every(isSafe))).toBe(true);
      expect(rows.every(([date]) => /^\d\d\/\d\d\/\d{4}$/.test(date ?? ''))).toBe(true);
      expect(rows.reduce((sum, [, cell]) => sum + centsOf(cell), 0)).toBe(total(facts.map(({ totals }) => totals.net)));
    }),
  ));

const matchesNothing = /(?!)/;
/** Fields of a general journal with the values that MYOB accepts, from its help page "Import and export fields". */
const myobFields: [string, RegExp][] = [
  ['Journal Number', /^.{0,8}$/],
  ['Date', /^\d\d\/\d\d\/\d{4}$/],
  ['Memo', /^.{0,255}$/su],
  ['Account Number', /^\d-?\d{4}$/],
  ['Is Credit', /^[YN]$/],
  ['Amount', /^\d{1,12}\.\d\d$/],
  ['Job', /^.{0,15}$/],
  ['Allocation Memo', /^.{0,255}$/su],
  ['Category', /^.{0,15}$/],
  ['Is Year-End Adjustment', /^[YN]?$/],
];

test('journals for MYOB balance, and post each deposit to the bank account', () =>
  fc.assert(
    fc.property(advices, (facts) => {
      const [mark, head = [], ...rows] = rowsIn(myobCsv(facts, { income: '4-1000', bank: '1-1110' }));
      expect([mark?.[0], head[0]]).toEqual(['{}', 'Journal Number']);
      expect(rows.every((row) => row.length === head.length && row.every(isSafe))).toBe(true);
      const sumOf = (creditFlag: string, account?: string) =>
        rows
          .filter((row) => row[4] === creditFlag && (account === undefined || row[3] === account))
          .reduce((sum, row) => sum + centsOf(row[5]), 0);
      expect(rows.every((row) => centsOf(row[5]) > 0)).toBe(true);
      for (const row of rows)
        for (const [at, cell] of row.entries()) expect(cell).toMatch(myobFields[at]?.[1] ?? matchesNothing);
      expect(head).toEqual(myobFields.map(([name]) => name));
      expect(sumOf('N')).toBe(sumOf('Y'));
      expect(sumOf('N', '1-1110')).toBe(total(facts.map(({ totals }) => totals.net)));
    }),
  ));

/** Name as XML and the reader of it leave it. */
const asRead = (name: string) =>
  printableLine(name.toWellFormed())
    .replace(/[\uFFFE\uFFFF]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

test.each(['ofx', 'camt053'] as const)('a statement as %s is read back to the cent by our own reader', (format) =>
  fc.assert(
    fc.property(advices, hostileText, (facts, payee) => {
      const days = { from: isoDate('2026-01-01'), to: isoDate('2027-12-31'), madeAt: new Date('2027-12-31T10:00:00Z') };
      const deposits = facts.map((each, at) => ({ ...each, reference: `RM${String(at).padStart(16, '0')}` }));
      const read = parseStatement(payoutStatement(deposits, payee, format, days));
      const net = total(deposits.map(({ totals }) => totals.net));
      expect(read).toMatchObject({ closingCents: net, closingOn: '2027-12-31' });
      if (format === 'camt053') expect(read.openingCents).toBe(0);
      const byId = (one: { id: string | undefined }, other: { id: string | undefined }) =>
        (one.id ?? '') < (other.id ?? '') ? -1 : 1;
      expect(read.lines.map(({ id, bookedOn, cents }) => ({ id, bookedOn, cents })).toSorted(byId)).toEqual(
        deposits.map(({ reference, paidOn, totals }) => ({ id: reference, bookedOn: paidOn, cents: totals.net })),
      );
      for (const { id, text, further = '' } of read.lines) {
        expect(text).toContain(`Payout ${id}`);
        expect(`${text} ${further}`).toContain([...asRead(payee)].slice(0, 32).join('').trim());
      }
    }),
  ),
);

const sample = AdviceFacts.parse({
  version: 2,
  club: { id: 'club', name: 'Riverside Rovers', abn: null },
  reference: 'CL3F9A0C41D27B65E8',
  paidOn: '2026-11-25',
  days: [
    { day: '2026-11-23', supporters: 2, gross: 5_00, returned: 0, savings: 0, net: 5_00 },
    { day: '2026-11-24', supporters: 1, gross: 0, returned: 1_00, savings: 0, net: -1_00 },
  ],
  adjustments: [{ day: null, kind: 'reserve', cents: -50 }],
  supporters: 2,
  totals: { gross: 5_00, returned: 1_00, savings: 0, fees: 0, net: 3_50 },
  forecast: null,
});

test("a payout in Xero's format", () =>
  expect(xeroCsv([sample], 'SPARECHANGE', { income: '260' }).split('\r\n')).toEqual([
    '*Date,*Amount,Payee,Description,Reference,Check Number,Account Code,Tax Type',
    '25/11/2026,5.00,"SPARECHANGE","Riverside Rovers: given, cleared 23-Nov-26","CL3F9A0C41D27B65E8",,"260","BAS Excluded"',
    '25/11/2026,-1.00,"SPARECHANGE","Riverside Rovers: taken back 24-Nov-26","CL3F9A0C41D27B65E8",,"260","BAS Excluded"',
    '25/11/2026,-0.50,"SPARECHANGE","Riverside Rovers: Reserve","CL3F9A0C41D27B65E8",,"260","BAS Excluded"',
    '',
  ]));

test("two payouts in MYOB's format", () => {
  const later = { ...sample, reference: 'CL2', days: sample.days.slice(0, 1), adjustments: [] };
  const advices = [sample, { ...later, totals: { ...sample.totals, net: cents(5_00) } }];
  expect(myobCsv(advices, { income: '4-1000', bank: '1-1110' }).split('\r\n')).toEqual([
    '{},,,,,,,,,',
    'Journal Number,Date,Memo,Account Number,Is Credit,Amount,Job,Allocation Memo,Category,Is Year-End Adjustment',
    ',25/11/2026,"Payout CL3F9A0C41D27B65E8","1-1110",N,3.50,,"Deposit CL3F9A0C41D27B65E8",,',
    ',25/11/2026,"Payout CL3F9A0C41D27B65E8","4-1000",Y,5.00,,"Riverside Rovers: given, cleared 23-Nov-26",,',
    ',25/11/2026,"Payout CL3F9A0C41D27B65E8","4-1000",N,1.00,,"Riverside Rovers: taken back 24-Nov-26",,',
    ',25/11/2026,"Payout CL3F9A0C41D27B65E8","4-1000",N,0.50,,"Riverside Rovers: Reserve",,',
    ',,,,,,,,,',
    ',25/11/2026,"Payout CL2","1-1110",N,5.00,,"Deposit CL2",,',
    ',25/11/2026,"Payout CL2","4-1000",Y,5.00,,"Riverside Rovers: given, cleared 23-Nov-26",,',
    '',
  ]);
});

test('a file that is off by a cent, or too long for Xero, is not created', () => {
  const unbalanced = { ...sample, totals: { ...sample.totals, net: cents(3_51) } };
  expect(() => xeroCsv([unbalanced], 'P', { income: '260' })).toThrow('come to 350');
  expect(() => myobCsv([unbalanced], { income: '4-1000', bank: '11110' })).toThrow('come to 350');
  expect(() => myobCsv([sample], { income: '4-1000' })).toThrow('two accounts');
  expect(() => myobCsv([sample], { income: '260', bank: '1-1110' })).toThrow('five digits');
  expect(() => myobCsv([sample], { income: '4-1000', bank: 'Bank' })).toThrow('five digits');
  expect(() =>
    xeroCsv(
      Array.from({ length: 334 }, () => sample),
      'P',
      { income: '260' },
    ),
  ).toThrow('1000 lines');
});

const ofSample = {
  from: isoDate('2026-11-01'),
  to: isoDate('2026-11-30'),
  madeAt: new Date('2026-12-01T01:02:03Z'),
};

test('a payout as OFX 2', () =>
  expect(payoutStatement([sample], 'SPARECHANGE', 'ofx', ofSample).split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    '<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>',
    '<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>' +
      '<DTSERVER>20261201010203</DTSERVER><LANGUAGE>ENG</LANGUAGE></SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS>' +
      '<TRNUID>0</TRNUID><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><STMTRS><CURDEF>AUD</CURDEF>' +
      '<BANKACCTFROM><BANKID>PAYOUTS</BANKID><ACCTID>CLUB-CLUB</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>' +
      '<BANKTRANLIST><DTSTART>20261101120000</DTSTART><DTEND>20261130120000</DTEND>',
    '<STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20261125120000</DTPOSTED><TRNAMT>3.50</TRNAMT>' +
      '<FITID>CL3F9A0C41D27B65E8</FITID><NAME>SPARECHANGE</NAME><MEMO>Payout CL3F9A0C41D27B65E8 of 2 days</MEMO></STMTTRN>',
    '</BANKTRANLIST><LEDGERBAL><BALAMT>3.50</BALAMT><DTASOF>20261130120000</DTASOF></LEDGERBAL></STMTRS></STMTTRNRS>' +
      '</BANKMSGSRSV1></OFX>',
    '',
  ]));

const partOf = (amount: string, direction: string, words: string) =>
  `<TxDtls><Refs><EndToEndId>CL3F9A0C41D27B65E8</EndToEndId></Refs><Amt Ccy="AUD">${amount}</Amt>` +
  `<CdtDbtInd>${direction}</CdtDbtInd><RltdPties><Dbtr><Pty><Nm>SPARECHANGE</Nm></Pty></Dbtr></RltdPties>` +
  `<RmtInf><Ustrd>Riverside Rovers: ${words}</Ustrd></RmtInf></TxDtls>`;

/** Elements in the order of the schema of camt.053.001.08: xmllint found this statement valid, and 500 random ones. */
test('a payout as camt.053', () =>
  expect(payoutStatement([sample], 'SPARECHANGE', 'camt053', ofSample).split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>' +
      '<GrpHdr><MsgId>CLUB-CLUB-20261130</MsgId><CreDtTm>2026-12-01T01:02:03.000Z</CreDtTm></GrpHdr>' +
      '<Stmt><Id>CLUB-CLUB-20261130</Id><CreDtTm>2026-12-01T01:02:03.000Z</CreDtTm>' +
      '<FrToDt><FrDtTm>2026-10-31T13:00:00.000Z</FrDtTm><ToDtTm>2026-11-30T12:59:00.000Z</ToDtTm></FrToDt>' +
      '<Acct><Id><Othr><Id>CLUB-CLUB</Id></Othr></Id><Ccy>AUD</Ccy><Ownr><Nm>Riverside Rovers</Nm></Ownr></Acct>' +
      '<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="AUD">0.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>' +
      '<Dt><Dt>2026-11-01</Dt></Dt></Bal>' +
      '<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="AUD">3.50</Amt><CdtDbtInd>CRDT</CdtDbtInd>' +
      '<Dt><Dt>2026-11-30</Dt></Dt></Bal>',
    '<Ntry><Amt Ccy="AUD">3.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>' +
      '<BookgDt><Dt>2026-11-25</Dt></BookgDt><ValDt><Dt>2026-11-25</Dt></ValDt>' +
      '<AcctSvcrRef>CL3F9A0C41D27B65E8</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd>' +
      '<SubFmlyCd>OTHR</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls>' +
      partOf('5.00', 'CRDT', 'given, cleared 23-Nov-26') +
      partOf('1.00', 'DBIT', 'taken back 24-Nov-26') +
      partOf('0.50', 'DBIT', 'Reserve') +
      '</NtryDtls><AddtlNtryInf>Payout CL3F9A0C41D27B65E8 of 2 days</AddtlNtryInf></Ntry>',
    '</Stmt></BkToCstmrStmt></Document>',
    '',
  ]));
