import { type Cents, dollars, type IsoDate, magnitude, printableLine, sydneyTime } from '@sparechange/domain';

/** An account's statement for a bookkeeping program. */
export interface StatementHead {
  /** Names the account in that program, and each statement's; at most 22 characters. */
  account: string;
  /** Kind of account where OFX has a bank's number: at most 9 letters. */
  kind: string;
  /** Name of its holder. */
  holder: string;
  from: IsoDate;
  to: IsoDate;
  openingCents: Cents;
  closingCents: Cents;
  madeAt: Date;
}

export interface StatementEntry {
  /** Permanent, so that a program books it once; at most 35 characters. */
  id: string;
  day: IsoDate;
  /** Positive for incoming money. */
  cents: Cents;
  /** Name of the other party. */
  payee: string;
  words: string;
  /** Parts that add up to the entry, for a format that has them. */
  parts?: { text: string; cents: Cents }[];
}

/** Writes a statement in pieces. */
export interface StatementFormat {
  extension: string;
  head(statement: StatementHead): string;
  entry(entry: StatementEntry): string;
  end(statement: StatementHead): string;
}

/** Entities that every reader of XML knows; some leave numbered ones as they are. */
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Returns text cut to a number of characters, all of which XML may hold. */
function xmlText(words: string, max: number): string {
  const line = printableLine(words.toWellFormed()).replace(/[\uFFFE\uFFFF]/g, '');
  const short = [...line.replace(/\s+/g, ' ').trim()].slice(0, max).join('').trim();
  return short.replace(/[&<>]/g, (letter) => entities[letter] ?? letter);
}

const element = (name: string, ...inside: string[]): string => `<${name}>${inside.join('')}</${name}>`;

/** Noon of no zone: the same day for readers from twelve hours behind UTC to eleven ahead. */
const ofxDay = (day: IsoDate): string => `${day.replaceAll('-', '')}120000`;
const ofxStatus = element('STATUS', element('CODE', '0'), element('SEVERITY', 'INFO'));

/** OFX 2.2 ("Open Financial Exchange Specification 2.2", 11.4.2). */
const ofx: StatementFormat = {
  extension: 'ofx',
  head: ({ account, kind, from, to, madeAt }) => {
    const server = madeAt.toISOString().slice(0, 19).replace(/\D/g, '');
    return [
      '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n',
      '<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\n<OFX>',
      element('SIGNONMSGSRSV1', element('SONRS', ofxStatus, element('DTSERVER', server), element('LANGUAGE', 'ENG'))),
      `<BANKMSGSRSV1><STMTTRNRS>${element('TRNUID', '0')}${ofxStatus}<STMTRS>${element('CURDEF', 'AUD')}`,
      element(
        'BANKACCTFROM',
        element('BANKID', xmlText(kind, 9)),
        element('ACCTID', xmlText(account, 22)),
        element('ACCTTYPE', 'CHECKING'),
      ),
      `<BANKTRANLIST>${element('DTSTART', ofxDay(from))}${element('DTEND', ofxDay(to))}\n`,
    ].join('');
  },
  entry: ({ id, day, cents, payee, words }) =>
    `${element(
      'STMTTRN',
      element('TRNTYPE', cents < 0 ? 'DEBIT' : 'CREDIT'),
      element('DTPOSTED', ofxDay(day)),
      element('TRNAMT', dollars(cents)),
      element('FITID', xmlText(id, 35)),
      element('NAME', xmlText(payee, 32)),
      element('MEMO', xmlText(words, 255)),
    )}\n`,
  end: ({ to, closingCents }) =>
    `</BANKTRANLIST>${element(
      'LEDGERBAL',
      element('BALAMT', dollars(closingCents)),
      element('DTASOF', ofxDay(to)),
    )}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`,
};

const direction = (cents: Cents): string => element('CdtDbtInd', cents < 0 ? 'DBIT' : 'CRDT');
const amount = (cents: Cents): string => `<Amt Ccy="AUD">${dollars(magnitude(cents))}</Amt>${direction(cents)}`;
const onDay = (name: string, day: IsoDate): string => element(name, element('Dt', day));
const balance = (code: string, cents: Cents, day: IsoDate): string =>
  element('Bal', element('Tp', element('CdOrPrtry', element('Cd', code))), amount(cents), onDay('Dt', day));

const named = (payee: string, cents: Cents): string =>
  element(
    'RltdPties',
    element(cents < 0 ? 'Cdtr' : 'Dbtr', element('Pty', element('Nm', xmlText(payee, 140) || 'Unnamed'))),
  );

const remitted = (words: string): string => {
  const text = xmlText(words, 140);
  return text ? element('RmtInf', element('Ustrd', text)) : '';
};

/** ISO 20022 camt.053.001.08. */
const camt053: StatementFormat = {
  extension: 'xml',
  head: ({ account, holder, from, to, openingCents, closingCents, madeAt }) => {
    const made = element('CreDtTm', madeAt.toISOString());
    const id = xmlText(`${account}-${to.replaceAll('-', '')}`, 35);
    return [
      '<?xml version="1.0" encoding="UTF-8"?>\n',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>',
      element('GrpHdr', element('MsgId', id), made),
      `<Stmt>${element('Id', id)}${made}`,
      element(
        'FrToDt',
        element('FrDtTm', sydneyTime(from, '00:00').toISOString()),
        element('ToDtTm', sydneyTime(to, '23:59').toISOString()),
      ),
      element(
        'Acct',
        element('Id', element('Othr', element('Id', xmlText(account, 34)))),
        element('Ccy', 'AUD'),
        element('Ownr', element('Nm', xmlText(holder, 140) || 'Unnamed')),
      ),
      balance('OPBD', openingCents, from),
      `${balance('CLBD', closingCents, to)}\n`,
    ].join('');
  },
  entry: ({ id, day, cents, payee, words, parts = [] }) => {
    const refs = element('Refs', element('EndToEndId', xmlText(id, 35)));
    const transactions =
      parts.length > 0
        ? parts.map((part) => element('TxDtls', refs, amount(part.cents), named(payee, cents), remitted(part.text)))
        : [element('TxDtls', refs, amount(cents), named(payee, cents))];
    return `${element(
      'Ntry',
      amount(cents),
      element('Sts', element('Cd', 'BOOK')),
      onDay('BookgDt', day),
      onDay('ValDt', day),
      element('AcctSvcrRef', xmlText(id, 35)),
      element(
        'BkTxCd',
        element(
          'Domn',
          element('Cd', 'PMNT'),
          element('Fmly', element('Cd', cents < 0 ? 'ICDT' : 'RCDT'), element('SubFmlyCd', 'OTHR')),
        ),
      ),
      element('NtryDtls', ...transactions),
      element('AddtlNtryInf', xmlText(words, 500) || xmlText(id, 35)),
    )}\n`;
  },
  end: () => '</Stmt></BkToCstmrStmt></Document>\n',
};

export const statementFormats = { ofx, camt053 };
