import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { parseStatement } from './parse-statement.ts';

const head = 'date,amount,description';
const csv = (...rows: string[]): string => [head, ...rows, ''].join('\n');
const one = csv('24/11/2026,12.50,DEPOSIT');
const amount = (written: string): string => csv(`24/11/2026,${written},DEPOSIT`);

const bal = (code: string, dollars: string, day = '2026-11-24', currency = 'AUD') =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${dollars}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
const entry = (dollars: string, more = '<AddtlNtryInf>DEPOSIT</AddtlNtryInf>', state = '<Sts><Cd>BOOK</Cd></Sts>') =>
  `<Ntry><Amt Ccy="AUD">${dollars}</Amt><CdtDbtInd>CRDT</CdtDbtInd>${state}<BookgDt><Dt>2026-11-24</Dt></BookgDt>${more}</Ntry>`;
const stmt = (content: string, account = '062000123456789') =>
  `<Stmt><Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>AUD</Ccy></Acct>${content}</Stmt>`;
const message = (content: string, name = 'BkToCstmrStmt') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:x"><${name}>${content}</${name}></Document>`;
const camt = (more: string, dollars = '12.50') =>
  message(stmt(bal('OPBD', '0.00') + bal('CLBD', '12.50') + entry(dollars, more)));
const detail = (content: string) => camt(`<NtryDtls><TxDtls>${content}</TxDtls></NtryDtls>`);
const [monday, tuesday] = [
  stmt(bal('OPBD', '0.00', '2026-11-23') + bal('CLBD', '10.00', '2026-11-23') + entry('10.00')),
  stmt(bal('OPBD', '10.00') + bal('CLBD', '22.50') + entry('12.50'), '062-000 123456789'),
];
const reference = 'CL0123456789ABCDEF';

test.each<[string, Uint8Array | string, string, number]>([
  ['a CSV', one, 'DEPOSIT', 1],
  ['semicolons', one.replaceAll(',', ';'), 'DEPOSIT', 1],
  ['tabs', one.replaceAll(',', '\t'), 'DEPOSIT', 1],
  ["Excel's first line", `sep=;\r\n${one.replaceAll(',', ';')}`, 'DEPOSIT', 1],
  ["Excel's text in UTF-16", Buffer.from(`\uFEFF${one.replaceAll(',', '\t')}`, 'utf16le'), 'DEPOSIT', 1],
  [
    'a column with a blank in its name',
    csv('24/11/2026,12.50,DEPOSIT,A1').replace('description', 'description,Transaction ID'),
    'A1',
    1,
  ],
  ['booked rows', csv('24/11/2026,12.50,DEPOSIT,Completed,AUD').replace(head, `${head},Status,Currency`), 'DEPOSIT', 1],
  [
    'rows of one account',
    csv('24/11/2026,12.50,DEPOSIT,062-000,12345678').replace(head, `${head},BSB,Account`),
    '062-000 12345678',
    1,
  ],
  ...(
    [
      ['Transaction Type', 'Failed payment fee'],
      ['Transaction Type', 'REVERSAL'],
      ['Match Status', 'Unmatched'],
      ['Posted', '24/11/2026'],
      ['Status Date', '24/11/2026'],
      ['Foreign Currency Amount', '0.00'],
      ['Payee account', '87654321'],
      ['From account', '87654321'],
      ['Account Code', '200'],
      ['Pending', 'No'],
      ['Real Estate', 'House'],
    ] as const
  ).map(([column, cell]): [string, string, string, number] => {
    const rows = ['24/11/2026,1.00,A,', `24/11/2026,1.00,B,${cell}`].map((row, at) =>
      at === 0 && column === 'Posted' ? `${row}${cell}` : row,
    );
    return [`${cell} as ${column}`, csv(...rows).replace(head, `${head},${column}`), '"text":"B"', 2];
  }),
  [
    'the currency of a purchase abroad beside that of the account',
    csv('24/11/2026,1.00,A,AUD,USD').replace(head, `${head},Currency,Original Currency`),
    '"text":"A"',
    1,
  ],
  ['a masked account', csv('24/11/2026,1.00,A,XXXX5678').replace(head, `${head},Account`), '"XXXX5678"', 1],
  ...(
    [
      ['without marks', '20261124'],
      ["by a spreadsheet's number", '46350'],
      ["by a spreadsheet's number with a time", '46350.4375'],
      ['with a time', '2026-11-24T10:31:00'],
      ['with a time and fractions', '2026-11-24 10:31:00.123'],
      ['with a time before noon', '24/11/2026 10:31 am'],
      ['as an instant in UTC', '2026-11-23T13:00:00.000Z'],
      ["as an instant in Sydney's zone", '2026-11-24T10:31:00+11:00'],
    ] as const
  ).map(([how, day]): [string, string, string, number] => [
    `a day written ${how}`,
    csv(`${day},1.00,A`),
    '"bookedOn":"2026-11-24"',
    1,
  ]),
  ...[
    '(12.50)',
    '($12.50)',
    '$(12.50)',
    '( 12.50 )',
    '12.50-',
    '\u221212.50',
    '\u201312.50',
    '$-12.50',
    '- $12.50',
  ].map((written): [string, string, string, number] => [`the amount ${written}`, amount(written), '"cents":-1250', 1]),
  ['brackets around thousands', amount('"(1,234.50)"'), '"cents":-123450', 1],
  ['zeros behind the cents', amount('12.50000'), '1250', 1],
  ['no zero before the point', amount('12.50').replace('12.50', '-.05'), '-5', 1],
  ['zeros before the dollars', amount('000000000000012.50'), '1250', 1],
  ['an amount that ends in its point', camt('', '12.500').replace('>0.00<', '>0.<'), '1250', 1],
  ['empty details', camt('<NtryDtls/>'), '1250', 1],
  ['empty references', detail('<Refs/><RmtInf></RmtInf>'), '1250', 1],
  ['an empty transaction', camt('<NtryDtls><TxDtls/></NtryDtls>'), '1250', 1],
  ['words in a language', detail('<RmtInf><Ustrd xml:lang="en">SETTLEMENT</Ustrd></RmtInf>'), 'SETTLEMENT', 1],
  [
    'CDATA and numbered characters',
    camt("<AddtlNtryInf><![CDATA[O'Brien & Sons <x>]]>, caf&#233; &#x2014; R&amp;D &amp;#39;</AddtlNtryInf>"),
    "O'Brien & Sons <x>, café — R&D &#39;",
    1,
  ],
  [
    'an envelope',
    camt('')
      .replace('<Document', '<BizMsg><AppHdr><Fr>B</Fr></AppHdr><Document')
      .replace('</Document>', '</Document></BizMsg>'),
    '1250',
    1,
  ],
  [
    'an older balance first',
    camt('').replace('<Bal>', `${bal('PRCD', '8.00', '2026-11-20')}<Bal>`),
    '"openingCents":0',
    1,
  ],
  [
    'a balance in another currency',
    camt('').replace('<Bal>', `${bal('OPBD', '0.00', '2026-11-24', 'USD')}<Bal>`),
    '1250',
    1,
  ],
  [
    'the newest statement first, its account spelled otherwise',
    message(`${tuesday}${monday}`),
    '"closingCents":2250',
    2,
  ],
  [
    'a structured reference',
    detail(`<RmtInf><Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf>`),
    reference,
    1,
  ],
  ["the payer's own id", detail(`<Refs><InstrId>${reference}</InstrId></Refs>`), reference, 1],
  ["the bank's own reference", detail(`<Refs><Prtry><Tp>X</Tp><Ref>${reference}</Ref></Prtry></Refs>`), reference, 1],
  ['a name', detail(`<RltdPties><Cdtr><Pty><Nm>CLUB ${reference}</Nm></Pty></Cdtr></RltdPties>`), reference, 1],
])('a file with %s is read', (_what, file, said, lines) => {
  const statement = parseStatement(file);
  expect(statement.lines).toHaveLength(lines);
  expect(JSON.stringify(statement).replaceAll('\\"', '"')).toContain(said);
});

test.each<[string, Uint8Array | string, string]>([
  ['camt.052', message('<Rpt/>', 'BkToCstmrAcctRpt'), 'This is a camt.052 report of a day under way'],
  ['camt.054', message('<Ntfctn/>', 'BkToCstmrDbtCdtNtfctn'), 'This is a camt.054 notification'],
  ['OFX without a statement', 'OFXHEADER:100\nDATA:OFXSGML\n\n<OFX></OFX>\n', 'no statement of a bank account'],
  [
    'OFX in XML without one',
    '<?xml version="1.0"?><?OFX OFXHEADER="200"?><OFX></OFX>',
    'no statement of a bank account',
  ],
  ['a row that ends early', csv('24/11/2026,12.50'), 'line 2 ends before its description'],
  ['QIF', '!Type:Bank\nD24/11/2026\nT12.50\n^\n', 'This is a QIF file'],
  ['the beginning of an MT940', ':20:STMT\n:25:062000/123456789\n', 'has no opening balance (60F)'],
  ['MT942', ':20:STMT\n:25:062000/123456789\n:34F:AUD0,00\n', 'This is an MT942 report of a day under way'],
  ['the beginning of a BAI2', '01,BANK,US,261124,0800,1,,,2/\n02,US,BANK,1,261124/\n', 'ends before its last record'],
  ['JSON', '[{"date":"2026-11-24"}]', 'This is JSON.'],
  ['a page of the bank', '<!DOCTYPE html>\n<html><body>Your session has expired</body></html>', 'sign in there again'],
  ['ZIP', zipSync({ 'statement.xml': Buffer.from(camt('')) }), 'Take the statement out of it'],
  [
    'a workbook',
    zipSync({ '[Content_Types].xml': Buffer.from('<a/>'), 'xl/workbook.xml': Buffer.from('<a/>') }),
    'Save the sheet as CSV',
  ],
  ['gzip', gzipSync(camt('')), 'Unpack it'],
  ['PDF', '%PDF-1.7\n', 'This is a PDF.'],
  ['other XML', '<a/>', 'This is no camt.053 statement: it has no Document'],
  ['nothing', '', 'The file is empty.'],
  ['no text', 'date,amount\0', 'The file is not text.'],
  ['lines before the columns', `Account: Trust\n\n${one}`, 'They are named in line 3: delete the lines before it.'],
  ['no columns', '18/11/2026,"-12.50","4711"\n', 'put a line before it that names its columns'],
  ['outgoing amounts alone', 'Date,Description,Debit\n18/11/2026,X,12.50\n', 'It has debit instead'],
  ['other names', 'Date,Amount,Said\n18/11/2026,1.00,X\n', 'It names "date", "amount", "said": rename'],
  ['a line at the end', `${one}Total,12.50,\n`, '"Total" is not a day such as 2026-11-25: delete the line'],
  [
    'a pending row',
    csv('24/11/2026,1.00,A,Booked', '24/11/2026,1.00,B,Pending').replace(head, `${head},Status`),
    'line 3: the status "Pending" does not say that it is booked',
  ],
  ['a cancelled row', csv('24/11/2026,1.00,A,yes').replace(head, `${head},Cancelled`), 'line 2: cancelled is "yes"'],
  [
    'a row in dollars of New Zealand',
    csv('24/11/2026,1.00,A,AUD', '24/11/2026,1.00,B,NZD').replace(head, `${head},Currency`),
    'line 3: the currency "NZD" is not AUD',
  ],
  [
    'rows of two accounts',
    csv('24/11/2026,1.00,A,062000 12345678', '24/11/2026,1.00,B,062000 87654321').replace(head, `${head},Bank Account`),
    'line 3: it is of the account "062000 87654321", the lines before of "062000 12345678"',
  ],
  ...(
    [
      ['Transaction State', 'PENDING', 'line 3: the transaction_state "PENDING" does not say that it is booked'],
      ['transactionStatus', 'Declined', 'line 3: the transactionstatus "Declined" does not say that it is booked'],
      ['Booking-Status', 'reversed', 'line 3: the booking_status "reversed" does not say that it is booked'],
      ['type', 'PENDING', 'line 3: type is "PENDING", which does not say that it is booked'],
      ['Transaction Type', 'Card purchase - pending', 'line 3: transaction_type is "Card purchase - pending"'],
      ['Category', 'Declined', 'line 3: category is "Declined"'],
      ['Notes', 'pending', 'line 3: notes is "pending"'],
      ['Is Reversed?', 'Y', 'line 3: is_reversed? is "Y"'],
      ['On hold', 'yes', 'line 3: on_hold is "yes"'],
      ['Cleared', 'N', 'line 3: cleared is "N"'],
      ['Local Currency', 'NZD', 'line 3: the currency "NZD" is not AUD'],
      ['Acct. CCY', 'usd', 'line 3: the currency "usd" is not AUD'],
      ['Original Currency', 'USD', 'line 3: the currency "USD" is not AUD'],
      ['acct', '87654321', 'line 3: it is of the account "87654321", the lines before of "OURS"'],
      ['Account name', 'Petty cash', 'line 3: it is of the account "Petty cash", the lines before of "OURS"'],
      ['A/C No', '87654321', 'line 3: it is of the account "87654321"'],
      ['accountNumber', '87654321', 'line 3: it is of the account "87654321"'],
      ['Account Type', 'Savings', 'line 3: it is of the account "Savings"'],
    ] as const
  ).map(([column, cell, words]): [string, string, string] => {
    const ours = /currency|ccy/i.test(column)
      ? 'AUD'
      : /^(?:a|account)/i.test(column)
        ? 'OURS'
        : /^(?:is|on)/i.test(column)
          ? 'no'
          : /cleared/i.test(column)
            ? 'Y'
            : 'Posted';
    const rows = [`24/11/2026,1.00,A,${ours}`, `24/11/2026,1.00,B,${cell}`];
    return [`${cell} as ${column}`, csv(...rows).replace(head, `${head},${column}`), words];
  }),
  [
    'a row that is not marked as cleared',
    csv('24/11/2026,1.00,A,x', '24/11/2026,1.00,B,').replace(head, `${head},Cleared`),
    'line 3: cleared is ""',
  ],
  ['two minus', amount('-12.50-'), 'line 2: "-12.50-" is not an amount: write -12.50.'],
  ['a minus before brackets', amount('-(12.50)'), 'write -12.50.'],
  ['a bracket that does not close', amount('(12.50'), 'write -12.50.'],
  ['a number of another time as its day', csv('41126,1.00,A'), 'format the column as dates in the spreadsheet'],
  [
    'days of which a spreadsheet made some numbers',
    csv('46350,1.00,A', '24/11/2026,1.00,B'),
    'A spreadsheet made some days of the file numbers.',
  ],
  ['eight digits that are no day', csv('20261324,1.00,A'), '"20261324" is not a day'],
  ['DR', amount('12.50 DR'), 'write -12.50.'],
  ['CR', amount('12.50 CR'), 'write 12.50.'],
  ['a currency', amount('AUD 12.50'), 'write 12.50.'],
  ['a formula', amount('"=""12.50"""'), 'write 12.50.'],
  ['a comma before the cents', amount('"12,50"'), 'write 12.50 with a point before the cents.'],
  ['no amount', amount(''), 'write 12.50, or -12.50 where money left.'],
  ['a fraction of a cent', amount('12.505'), 'is not an amount of whole cents'],
  [
    'thousands with a point',
    one.replaceAll(',', ';').replace('12.50', '1.250'),
    'write 1250.00 or 1.25, whichever it is.',
  ],
  ['a very long amount', amount('9'.repeat(30_000)), `"${'9'.repeat(39)}…" is not an amount`],
  [
    'an error in the second statement',
    message(
      monday +
        tuesday.replace('>12.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>', '>12.5x</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>'),
    ),
    'statement 2, entry 1: "12.5x" is not an amount',
  ],
  [
    'a second statement that is not whole',
    message(monday + tuesday.replace('>22.50<', '>23.50<')),
    'statement 2: the lines lead to a balance of $22.50, the file says $23.50.',
  ],
  ['no state', message(stmt(entry('1.00', '', ''))), 'entry 1 has no state (Sts), such as BOOK. Ask the bank'],
  [
    'a state of its own',
    message(stmt(entry('1.00', '', '<Sts><Prtry>BOOKED</Prtry></Sts>'))),
    'entry 1 has the unknown state BOOKED.',
  ],
  [
    'an account in another currency',
    camt('').replace('<Ccy>AUD', '<Ccy>NZD'),
    'the account: its currency "NZD" is not AUD.',
  ],
  [
    'statements of two accounts',
    message(monday + stmt(entry('1.00'), '062000987654321')),
    'statements of several accounts',
  ],
])('a file with %s is refused with a helpful message', (_what, file, words) => {
  expect(() => parseStatement(file)).toThrow(words);
});
