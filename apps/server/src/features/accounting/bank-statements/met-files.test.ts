import { expect, test } from 'vitest';
import { describeWithMetFiles, metFile, metFiles } from '#testing/met-files.ts';
import { parseStatement } from './parse-statement.ts';

/** Each file that is read: its bank where the columns tell it, or its format; closing balance; day, dollars and words of each line. */
const read: [file: string, from: string, closing: string | undefined, lines: string[]][] = [
  ['camt-amount-three-decimals-18.150.xml', 'camt.053', '18.15', ['2026-11-24 18.15 SETTLEMENT']],
  ['camt-amount-trailing-point-150..xml', 'camt.053', '150.00', ['2026-11-24 150.00 SETTLEMENT']],
  ['camt-cdata-and-numeric-entities.xml', 'camt.053', '150.00', ["2026-11-24 150.00 O'Brien & Sons <club> café — R&D"]],
  ['camt-empty-NtryDtls.xml', 'camt.053', '150.00', ['2026-11-24 150.00 SETTLEMENT']],
  ['camt-empty-Refs.xml', 'camt.053', '150.00', ['2026-11-24 150.00 SETTLEMENT']],
  ['camt-empty-RmtInf.xml', 'camt.053', '150.00', ['2026-11-24 150.00 SETTLEMENT']],
  ['camt-empty-TxDtls.xml', 'camt.053', '150.00', ['2026-11-24 150.00 SETTLEMENT']],
  ['camt-prcd-of-older-day-before-opbd.xml', 'camt.053', '250.00', ['2026-11-24 150.00 TUESDAY']],
  [
    'camt-reference-in-InstrId-or-Prtry.xml',
    'camt.053',
    '0.00',
    ['2026-11-24 12.40', '2026-11-24 -12.40 CL0123456789ABCDEF'],
  ],
  [
    'camt-same-id-transfer-and-its-fee-listed-first.xml',
    'camt.053',
    '99.50',
    ['2026-11-24 -0.50 FEE', '2026-11-24 -100.00 TRANSFER'],
  ],
  ['camt-same-id-transfer.xml', 'camt.053', '100.00', ['2026-11-24 -100.00 TRANSFER']],
  ['camt-second-balance-in-usd.xml', 'camt.053', '150.00', ['2026-11-24 150.00']],
  [
    'camt-two-statements-account-spelled-two-ways.xml',
    'camt.053',
    '250.00',
    ['2026-11-23 100.00 MONDAY', '2026-11-24 150.00 TUESDAY'],
  ],
  [
    'camt-two-statements-newest-first.xml',
    'camt.053',
    '250.00',
    ['2026-11-23 100.00 MONDAY', '2026-11-24 150.00 TUESDAY'],
  ],
  ['camt-ustrd-with-xml-lang.xml', 'camt.053', '150.00', ['2026-11-24 150.00 SETTLEMENT']],
  ['camt-utf16le-bom.xml', 'camt.053', '100.00', ['2026-11-23 100.00 MONDAY']],
  ['camt-with-business-application-header.xml', 'camt.053', '100.00', ['2026-11-23 100.00 MONDAY']],
  ['csv-amount-dollar-before-minus.csv', 'CSV', undefined, ['2026-11-24 -12.50 BANK FEE']],
  ['csv-amount-en-dash-minus.csv', 'CSV', undefined, ['2026-11-24 -12.50 BANK FEE']],
  ['csv-amount-minus-no-leading-zero.csv', 'CSV', undefined, ['2026-11-24 -0.50 FEE']],
  ['csv-amount-minus-space-dollar.csv', 'CSV', undefined, ['2026-11-24 -12.50 BANK FEE']],
  ['csv-amount-no-leading-zero-.50.csv', 'CSV', undefined, ['2026-11-24 0.50 INTEREST']],
  ['csv-amount-parentheses.csv', 'CSV', undefined, ['2026-11-24 -12.50 BANK FEE']],
  ['csv-amount-three-decimals-12.500.csv', 'CSV', undefined, ['2026-11-24 12.50 DEPOSIT']],
  ['csv-amount-trailing-minus.csv', 'CSV', undefined, ['2026-11-24 -12.50 BANK FEE']],
  ['csv-amount-unicode-minus.csv', 'CSV', undefined, ['2026-11-24 -12.50 BANK FEE']],
  [
    'csv-anz-no-header.csv',
    'ANZ or Bendigo',
    undefined,
    ['2026-11-18 -12.50 PAYMENT TO CLUB PAYOUT', '2026-11-17 2000.00 TRANSFER FROM ZEPTO SETTLEMENT'],
  ],
  [
    'csv-bendigo-no-header.csv',
    'ANZ or Bendigo',
    undefined,
    [
      '2026-11-18 -12.50 PAY ANYONE CLUB PAYOUT 0012345678',
      '2026-11-17 2000.00 DIRECT CREDIT ZEPTO SETTLEMENT 0012345679',
    ],
  ],
  [
    'csv-cba-netbank-no-header.csv',
    'CommBank',
    '1987.50',
    [
      '2026-11-18 -12.50 Transfer to other Bank NetBank Roundup club',
      '2026-11-17 2000.00 Direct Credit 301500 ZEPTO SETTLEMENT',
    ],
  ],
  ['csv-date-compact.csv', 'CSV', undefined, ['2026-11-24 12.50 DEPOSIT']],
  ['csv-date-dots.csv', 'CSV', undefined, ['2026-11-24 12.50 DEPOSIT']],
  ['csv-date-excel-serial.csv', 'CSV', undefined, ['2026-11-24 12.50 DEPOSIT']],
  ['csv-date-iso-datetime.csv', 'CSV', undefined, ['2026-11-24 12.50 DEPOSIT']],
  ['csv-date-month-name.csv', 'CSV', undefined, ['2026-11-24 12.50 DEPOSIT']],
  ['csv-date-with-time.csv', 'CSV', undefined, ['2026-11-24 12.50 DEPOSIT']],
  ['csv-description-rtl-name.csv', 'CSV', undefined, ['2026-11-24 12.50 DEPOSIT דוד \u202eevil\u202c']],
  ['csv-header-transaction-id-with-space.csv', 'CSV', undefined, ['2026-11-24 12.50 DEPOSIT']],
  [
    'csv-ing-credit-debit.csv',
    'ING',
    '1987.50',
    ['2026-11-18 -12.50 Club payout - Receipt 012345', '2026-11-17 2000.00 Zepto settlement - Receipt 012344'],
  ],
  ['csv-line-as-exported-the-same-evening.csv', 'CSV', undefined, ['2027-01-03 10.00 OSKO DEPOSIT']],
  [
    'csv-line-dated-the-next-banking-day.csv',
    'CSV',
    undefined,
    ['2027-01-04 10.00 FRIDAY DEPOSIT', '2027-01-05 20.00 DEPOSIT OF THE EVENING DATED THE NEXT BANKING DAY'],
  ],
  ['csv-line-with-many-spaces.csv', 'CSV', undefined, ['2027-01-03 10.00 TRANSFER FROM ALPHA']],
  [
    'csv-macquarie.csv',
    'Macquarie',
    '1987.50',
    ['2026-11-18 -12.50 CLUB PAYOUT Club payout', '2026-11-17 2000.00 ZEPTO SETTLEMENT Zepto settlement'],
  ],
  ['csv-mt940-file-chosen.sta', 'MT940', '12.50', ['2026-11-24 12.50 DEPOSIT']],
  ['csv-nab-connect-ddMMMyy.csv', 'NAB', '1987.50', ['2026-11-18 -12.50 ONLINE CLUB PAYOUT TRANSFER DEBIT']],
  [
    'csv-nab-internet-banking.csv',
    'NAB',
    '1987.50',
    ['2026-11-18 -12.50 ONLINE CLUB PAYOUT TRANSFER DEBIT', '2026-11-17 2000.00 ZEPTO SETTLEMENT TRANSFER CREDIT'],
  ],
  [
    'csv-payout-references-as-banks-print-them.csv',
    'CSV',
    undefined,
    [
      '2026-12-03 -15.45 TRANSFER OUT CL0C71AB17883DE068',
      '2026-12-07 -1.64 TRANSFER OUT CLF31BC30BDA FBE791',
      '2026-12-09 -1.70 TRANSFER OUT REF:CLD6EF03C2993373FA/NOTPROVIDED',
      '2026-12-10 -0.65 TRANSFER OUT REFCL416790A50256534E',
      '2026-12-14 -2.71 TRANSFER OUT cl46bcb98c4f8cb694',
    ],
  ],
  [
    'csv-same-line-as-exported-a-day-later-with-more-words.csv',
    'CSV',
    undefined,
    ['2027-01-03 10.00 OSKO DEPOSIT ALPHA CLUB RECEIPT 4711'],
  ],
  ['csv-same-line-with-single-spaces.csv', 'CSV', undefined, ['2027-01-03 10.00 TRANSFER FROM ALPHA']],
  ['csv-sep-line-of-excel.csv', 'CSV', undefined, ['2026-11-24 12.50 DEPOSIT']],
  ['csv-tab-separated.csv', 'CSV', undefined, ['2026-11-24 12.50 DEPOSIT']],
  ['csv-utf16le-bom-excel-unicode-text.csv', 'CSV', undefined, ['2026-11-24 12.50 DEPOSIT']],
  [
    'csv-westpac-debit-credit-columns.csv',
    'Westpac',
    '1987.50',
    ['2026-11-18 -12.50 WITHDRAWAL ONLINE CLUB PAYOUT', '2026-11-17 2000.00 DEPOSIT ZEPTO SETTLEMENT'],
  ],
];

/** Each file that is refused, and what its sender is told. */
const refused: [file: string, words: string][] = [
  ['camt-052-intraday.xml', 'This is a camt.052 report of a day under way, whose entries may still change.'],
  ['camt-054-notification.xml', 'This is a camt.054 notification of single entries, without balances.'],
  [
    'camt-bad-amount-in-second-statement.xml',
    'statement 2, entry 1: "150.0x" is not an amount: write 12.50, or -12.50 where money left.',
  ],
  [
    'camt-no-status.xml',
    'entry 1 has no state (Sts), such as BOOK. Ask the bank for a file that says which entries are booked.',
  ],
  ['camt-status-prtry.xml', 'entry 1 has the unknown state BOOKED. Ask the bank what it means: only BOOK is booked.'],
  [
    'camt-two-accounts.xml',
    'The file holds statements of several accounts: XXXXXXXXXXX6789 (1 line), XXXXXXXXXXX4321 (0 lines). Please say which one is ours.',
  ],
  ['csv-amount-CR-suffix.csv', 'line 2: "12.50 CR" is not an amount: write 12.50.'],
  ['csv-amount-DR-suffix.csv', 'line 2: "12.50 DR" is not an amount: write -12.50.'],
  ['csv-amount-currency-code.csv', 'line 2: "AUD 12.50" is not an amount: write 12.50.'],
  [
    'csv-amount-decimal-comma-semicolon-file.csv',
    'line 2: "12,50" is not an amount: write 12.50 with a point before the cents.',
  ],
  ['csv-amount-empty.csv', 'line 2: "" is not an amount: write 12.50, or -12.50 where money left.'],
  ['csv-amount-excel-formula-text.csv', 'line 2: "="12.50"" is not an amount: write 12.50.'],
  ['csv-amount-excel-text-apostrophe.csv', 'line 2: "\'12.50" is not an amount: write 12.50.'],
  ['csv-amount-nbsp-thousands.csv', 'line 2: "1 234.50" is not an amount: write 1234.50.'],
  ['csv-date-two-digit-year.csv', 'line 2: "24/11/26" is not a day such as 2026-11-25.'],
  [
    'csv-footer-end-of-file-text.csv',
    'line 3 ends before its description. Export the days again, and delete the line if no money moved in it.',
  ],
  [
    'csv-footer-total-line.csv',
    'line 3: "Total" is not a day such as 2026-11-25: delete the line if no money moved in it.',
  ],
  [
    'csv-html-login-page-saved-as-csv.csv',
    'This is a web page, perhaps of a session with the bank that has ended: sign in there again.',
  ],
  ['csv-json-instead.csv', 'This is JSON.'],
  ['csv-ofx-file-chosen.ofx', 'This OFX file has no statement of a bank account (STMTRS). Export the days again.'],
  [
    'csv-preamble-lines.csv',
    'The first line must name the columns date, amount, description. They are named in line 4: delete the lines before it.',
  ],
  ['csv-qif-file-chosen.qif', 'This is a QIF file, as for Quicken.'],
  [
    'csv-status-pending-and-cancelled.csv',
    'line 2: the status "Pending" does not say that it is booked. Export booked movements alone, or delete that line.',
  ],
  ['statement-gzipped.xml.gz', 'This is a file packed with gzip. Unpack it, and choose what is in it.'],
  ['statement-zipped.zip', 'This is a ZIP archive. Take the statement out of it, and choose that file.'],
];

const dollars = (cents: number) => (cents / 100).toFixed(2);

describeWithMetFiles('files met before', () => {
  test.each(read)('%s is read', (file, from, closing, lines) => {
    const statement = parseStatement(metFile(file));
    expect(statement.bank ?? statement.format).toBe(from);
    expect(statement.closingCents).toBe(closing === undefined ? undefined : Math.round(Number(closing) * 100));
    const said = statement.lines.map(({ bookedOn, cents, text, further }) =>
      [bookedOn, dollars(cents), text, further].filter(Boolean).join(' ').replace(/ +/g, ' '),
    );
    expect(said).toEqual(lines);
  });

  test.each(refused)('%s is refused with what to do', (file, words) => {
    expect(() => parseStatement(metFile(file))).toThrow(words);
  });

  test('each statement of the folder stands in one of the tables', () => {
    const statements = metFiles().filter((file) => /^(?:camt|csv|statement)-/.test(file));
    expect(new Set([...read, ...refused].map(([file]) => file))).toEqual(new Set(statements));
  });
});
