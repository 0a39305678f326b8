import type { IsoDate } from '@sparechange/domain';

/** A movement on an account as its bank knows it. */
export interface TrueLine {
  bookedOn: IsoDate;
  cents: number;
  words: string;
  /** True if a file with a balance after each line has none after this one, as of a pending one. */
  hasNoBalance?: boolean;
}

/** Consecutive movements, oldest first, with the balance before them. */
export interface TrueLines {
  openingCents: number;
  lines: readonly TrueLine[];
}

const account = '123456789';

const dollars = (cents: number): string => (cents / 100).toFixed(2);
const signed = (cents: number): string => `${cents < 0 ? '' : '+'}${dollars(cents)}`;
const cell = (balance: number | undefined, write = dollars): string => (balance === undefined ? '' : write(balance));
const quoted = (words: string): string => `"${words}"`;
const comma = (cents: number): string => dollars(Math.abs(cents)).replace('.', ',');
const six = (day: string): string => day.slice(2).replaceAll('-', '');
const slashed = (day: string): string => day.split('-').toReversed().join('/');
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const named = (day: string, digits: 2 | 4): string =>
  `${day.slice(8)} ${months[Number(day.slice(5, 7)) - 1]} ${day.slice(4 - digits, 4)}`;

const balancesOf = ({ openingCents, lines }: TrueLines): number[] => {
  let balance = openingCents;
  return lines.map(({ cents }) => {
    balance += cents;
    return balance;
  });
};
const closingOf = (exported: TrueLines): number => balancesOf(exported).at(-1) ?? exported.openingCents;

/** Writes a row of each line, newest first as banks do. */
const rows = (exported: TrueLines, row: (line: TrueLine, balance: number | undefined) => string): string => {
  const balances = balancesOf(exported);
  return exported.lines
    .map((line, at) => row(line, line.hasNoBalance ? undefined : balances[at]))
    .toReversed()
    .map((written) => `${written}\r\n`)
    .join('');
};

const lastDay = ({ lines }: TrueLines): string => lines.at(-1)?.bookedOn ?? '';

/** Days of an export with their movements. */
const daysOf = (exported: TrueLines): [string, TrueLines][] => {
  let openingCents = exported.openingCents;
  return [...Map.groupBy(exported.lines, ({ bookedOn }) => bookedOn)].map(([day, lines]) => {
    const ofDay = { openingCents, lines };
    openingCents = closingOf(ofDay);
    return [day, ofDay];
  });
};

const mark = (cents: number): string => (cents < 0 ? 'D' : 'C');

const mt940Day = ([day, ofDay]: [string, TrueLines]): string =>
  [
    ':20:STATEMENT',
    `:25:062000/${account}`,
    ':28C:1/1',
    `:60F:${mark(ofDay.openingCents)}${six(day)}AUD${comma(ofDay.openingCents)}`,
    ...ofDay.lines.flatMap(({ cents, words }) => [
      `:61:${six(day)}${day.slice(5).replace('-', '')}${mark(cents)}${comma(cents)}NTRFNONREF`,
      `:86:${words}`,
    ]),
    `:62F:${mark(closingOf(ofDay))}${six(day)}AUD${comma(closingOf(ofDay))}`,
    '-',
    '',
  ].join('\r\n');

const bai2Day = ([day, ofDay]: [string, TrueLines]): string[] => {
  const header = [ofDay.openingCents, closingOf(ofDay)];
  const sum = [...header, ...ofDay.lines.map(({ cents }) => Math.abs(cents))].reduce((one, other) => one + other, 0);
  return [
    `02,CUSTOMER,BANK,1,${six(day)},0000,AUD,2/`,
    `03,${account},AUD,010,${header[0]},,,015,${header[1]},,/`,
    ...ofDay.lines.map(({ cents, words }) => `16,${cents < 0 ? 475 : 195},${Math.abs(cents)},0,,,${words}/`),
    `49,${sum},${ofDay.lines.length + 2}/`,
    '98,0,1,0/',
  ];
};

const ofxLines = ({ lines }: TrueLines, end: (name: string) => string): string =>
  lines
    .map(
      ({ bookedOn, cents, words }) =>
        `<STMTTRN><TRNTYPE>OTHER${end('TRNTYPE')}<DTPOSTED>${bookedOn.replaceAll('-', '')}${end('DTPOSTED')}` +
        `<TRNAMT>${dollars(cents)}${end('TRNAMT')}<NAME>${words}${end('NAME')}</STMTTRN>`,
    )
    .join('\n');

const ofxBody = (exported: TrueLines, end: (name: string) => string): string => {
  const day = lastDay(exported).replaceAll('-', '');
  return (
    `<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>AUD${end('CURDEF')}<BANKACCTFROM><BANKID>062000${end('BANKID')}` +
    `<ACCTID>${account}${end('ACCTID')}</BANKACCTFROM><BANKTRANLIST><DTEND>${day}${end('DTEND')}` +
    `${ofxLines(exported, end)}</BANKTRANLIST><LEDGERBAL><BALAMT>${dollars(closingOf(exported))}${end('BALAMT')}` +
    `<DTASOF>${day}${end('DTASOF')}</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`
  );
};

const camtBalance = (code: string, cents: number): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="AUD">${dollars(Math.abs(cents))}</Amt><CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd></Bal>`;

/** Writes an account's movements as each bank or format does; each file has at least one movement. */
export const statementExports: Record<string, (exported: TrueLines) => string> = {
  'Commonwealth Bank': (exported) =>
    rows(exported, ({ bookedOn, cents, words }, balance) =>
      [slashed(bookedOn), quoted(signed(cents)), quoted(words), quoted(cell(balance, signed))].join(','),
    ),
  ANZ: (exported) =>
    rows(exported, ({ bookedOn, cents, words }) =>
      [slashed(bookedOn), quoted(dollars(cents)), quoted(words)].join(','),
    ),
  NAB: (exported) =>
    `Date,Amount,Account Number,,Transaction Type,Transaction Details,Balance,Category,Merchant Name,Processed On\r\n${rows(
      exported,
      ({ bookedOn, cents, words }, balance) =>
        [named(bookedOn, 2), cents / 100, account, '', 'TRANSFER', words, cell(balance), '', '', ''].join(','),
    )}`,
  Westpac: (exported) =>
    `Bank Account,Date,Narrative,Debit Amount,Credit Amount,Balance,Categories,Serial\r\n${rows(
      exported,
      ({ bookedOn, cents, words }, balance) =>
        [
          `062000${account}`,
          slashed(bookedOn),
          quoted(words),
          cents < 0 ? dollars(-cents) : '',
          cents > 0 ? dollars(cents) : '',
          cell(balance),
          'OTHER',
          '',
        ].join(','),
    )}`,
  Macquarie: (exported) =>
    `Transaction Date,Details,Account,Category,Subcategory,Tags,Notes,Debit,Credit,Balance,Original Description\r\n${rows(
      exported,
      ({ bookedOn, cents, words }, balance) =>
        [
          ...[named(bookedOn, 4), 'Edited', 'Trust account', '', '', '', ''],
          ...[cents < 0 ? -cents / 100 : '', cents > 0 ? cents / 100 : '', cell(balance), words],
        ]
          .map((cell) => quoted(String(cell)))
          .join(','),
    )}`,
  ING: (exported) =>
    `Date,Description,Credit,Debit,Balance\r\n${rows(exported, ({ bookedOn, cents, words }, balance) =>
      [slashed(bookedOn), words, cents > 0 ? dollars(cents) : '', cents < 0 ? dollars(cents) : '', cell(balance)].join(
        ',',
      ),
    )}`,
  Bendigo: (exported) =>
    rows(exported, ({ bookedOn, cents, words }) => [slashed(bookedOn), dollars(cents), words].map(quoted).join(',')),
  'camt.053': (exported) =>
    `<Document><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>062000${account}</Id></Othr></Id></Acct>${camtBalance('OPBD', exported.openingCents)}${camtBalance('CLBD', closingOf(exported))}${exported.lines
      .map(
        ({ bookedOn, cents, words }) =>
          `<Ntry><Amt Ccy="AUD">${dollars(Math.abs(cents))}</Amt><CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${bookedOn}</Dt></BookgDt><AddtlNtryInf>${words}</AddtlNtryInf></Ntry>`,
      )
      .join('')}</Stmt></BkToCstmrStmt></Document>`,
  MT940: (exported) => daysOf(exported).map(mt940Day).join(''),
  'OFX 1': (exported) => `OFXHEADER:100\r\nDATA:OFXSGML\r\n\r\n${ofxBody(exported, () => '')}`,
  'OFX 2': (exported) =>
    `<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200"?>${ofxBody(exported, (name) => `</${name}>`)}`,
  BAI2: (exported) =>
    ['01,BANK,CUSTOMER,261125,0800,1,80,1,2/', ...daysOf(exported).flatMap(bai2Day), '99,0,1,0/', ''].join('\r\n'),
};
