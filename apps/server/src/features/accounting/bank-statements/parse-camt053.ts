import { type Cents, type IsoDate, negate, sydneyDay } from '@sparechange/domain';
import { z } from 'zod';
import { quoted } from '#errors.ts';
import { type Balance, type Details, Entry, Statement } from './camt053-schema.ts';
import { otherMessageOf } from './other-formats.ts';
import { Replaced, readXml, type XmlContent } from './read-xml.ts';
import { joinStatements, type OneStatement, placed } from './several-statements.ts';
import { centsOf, dayOf, idOf, type StatementFile, type StatementLine, StatementProblem } from './statement-file.ts';

/** Reads one account's booked AUD entries from ISO 20022 camt.053. */
export function parseCamt053(content: string, place?: number): StatementFile {
  return joinStatements(statementsIn(readXml(content, replaceEntry)).map(toStatement), place);
}

/** An entry without a problem, read as soon as it ends. */
class ReadEntry extends Replaced {
  readonly lines: StatementLine[];

  constructor(lines: StatementLine[]) {
    super();
    this.lines = lines;
  }
}

/** Reads an entry; one with a problem is left as it is, and read again once its place in the file is known. */
function replaceEntry(parent: string, name: string, content: XmlContent): ReadEntry | undefined {
  if (parent !== 'Stmt' || name !== 'Ntry') return undefined;
  const { data } = Entry.safeParse(content);
  try {
    return data && new ReadEntry(toLine(data, ''));
  } catch (error) {
    if (error instanceof StatementProblem) return undefined;
    throw error;
  }
}

const Node = z.record(z.string(), z.unknown());

/** Envelopes around a document are nested only a few levels. */
const maxEnvelopes = 4;

/** Returns the child elements of a name. */
const childrenOf = (node: unknown, name: string): unknown[] => {
  const { data } = Node.safeParse(node);
  return data && Object.hasOwn(data, name) ? [data[name]].flat() : [];
};

/** Finds the documents of a file, which may be in an envelope beside a header. */
function documentsIn(root: unknown): unknown[] {
  for (let level = [root], depth = 0; level.length > 0 && depth < maxEnvelopes; depth += 1) {
    const documents = level.flatMap((node) => childrenOf(node, 'Document'));
    if (documents.length > 0) return documents;
    level = level.flatMap((node) => Object.values(Node.safeParse(node).data ?? {})).flat();
  }
  return [];
}

function statementsIn(root: unknown): unknown[] {
  const documents = documentsIn(root);
  const statements = documents
    .flatMap((document) => childrenOf(document, 'BkToCstmrStmt'))
    .flatMap((message) => childrenOf(message, 'Stmt'));
  if (statements.length > 0) return statements;
  const elements = documents.flatMap((document) => Object.keys(Node.safeParse(document).data ?? {}));
  throw new StatementProblem(
    otherMessageOf(elements) ??
      'This is no camt.053 statement: it has no Document/BkToCstmrStmt/Stmt. Export the days from the bank as camt.053, MT940, OFX or CSV.',
  );
}

function toStatement(element: unknown, at: number, { length }: readonly unknown[]): OneStatement {
  const where = length > 1 ? `statement ${at + 1}` : '';
  const { success, data: statement, error } = Statement.safeParse(element);
  if (!success) throw new StatementProblem(`This is no camt.053 statement: ${issueOf(error, where)}.`);
  const entries = statement.Ntry.map((entry, place) => entryOf(entry, placed(where, `entry ${place + 1}`)));
  if ((statement.Acct.Ccy ?? 'AUD') !== 'AUD')
    throw new StatementProblem(
      `${placed(where, 'the account')}: its currency ${quoted(statement.Acct.Ccy ?? '')} is not AUD.`,
    );
  const [opening] = balancesOf(statement.Bal, ['OPBD', 'PRCD']);
  const [closing] = balancesOf(statement.Bal, ['CLBD']);
  const inStatement = (words: string) => placed(where, words);
  const opens = opening && signed(opening, inStatement('the opening balance'));
  const closes = closing && signed(closing, inStatement('the closing balance'));
  const closingOn = closing && dayOfWhen(closing.Dt, inStatement('the closing balance'));
  const lines = entries.flatMap((read) => read());
  const days = lines.map(({ bookedOn }) => bookedOn).toSorted();
  return {
    where,
    account: statement.Acct.Id.Othr?.Id ?? statement.Acct.Id.IBAN ?? '',
    from: (opening && dayOfWhen(opening.Dt, inStatement('the opening balance'))) ?? days[0] ?? closingOn ?? '',
    ...(opens === undefined ? {} : { openingCents: opens }),
    ...(closes === undefined ? {} : { closingCents: closes }),
    ...(closingOn === undefined ? {} : { closingOn }),
    lines,
  };
}

/** Returns what reads an entry's lines. Throws for an entry that the standard does not allow. */
function entryOf(element: unknown, where: string): () => StatementLine[] {
  if (element instanceof ReadEntry) return () => element.lines;
  const { success, data, error } = Entry.safeParse(element);
  if (!success) throw new StatementProblem(`This is no camt.053 statement: ${issueOf(error, where)}.`);
  return () => toLine(data, where);
}

/** Describes an element that the standard does not allow, or one that is missing, with its statement and entry. */
function issueOf(error: z.ZodError, where: string): string {
  const { path = [], message = '' } = error.issues[0] ?? {};
  const name = path.filter((part) => typeof part === 'string' && !/^[#@]/.test(part));
  return `${placed(where, name.join('/'))}: ${message}`;
}

const signed = ({ Amt, CdtDbtInd }: Pick<Balance, 'Amt' | 'CdtDbtInd'>, where: string): Cents => {
  if (Amt['@Ccy'] !== 'AUD') throw new StatementProblem(`${where}: ${Amt['@Ccy'].slice(0, 10)} is not AUD.`);
  const amount = centsOf(Amt['#text'], where);
  if (amount < 0)
    throw new StatementProblem(`${where}: the amount ${Amt['#text'].slice(0, 40)} has a sign beside ${CdtDbtInd}.`);
  return CdtDbtInd === 'DBIT' ? negate(amount) : amount;
};

const zone = /(?:Z|[+-]\d{2}:\d{2})$/;

/** Returns the written day, or the Sydney day of an instant; a time without a zone is the bank's local time. */
function dayOfWhen(when: Entry['BookgDt'], where: string): IsoDate | undefined {
  if (when?.Dt) return dayOf(when.Dt.replace(zone, ''), where);
  if (!when?.DtTm) return undefined;
  const [day = '', time = ''] = when.DtTm.split('T');
  const written = dayOf(day, where);
  if (!zone.test(time)) return written;
  const instant = new Date(when.DtTm);
  return Number.isNaN(instant.getTime()) ? dayOf(when.DtTm, where) : sydneyDay(instant);
}

/** Skips pending, future or informational entries, which are listed again once booked. */
const notBooked = ['PDNG', 'FUTR', 'INFO'];

function toLine(entry: Entry, where: string): StatementLine[] {
  const state = typeof entry.Sts === 'string' ? entry.Sts : (entry.Sts?.Cd ?? entry.Sts?.Prtry);
  if (notBooked.includes(state ?? '')) return [];
  if (!state)
    throw new StatementProblem(
      `${where} has no state (Sts), such as BOOK. Ask the bank for a file that says which entries are booked.`,
    );
  if (state !== 'BOOK')
    throw new StatementProblem(
      `${where} has the unknown state ${state.slice(0, 40)}. Ask the bank what it means: only BOOK is booked.`,
    );
  const bookedOn = dayOfWhen(entry.BookgDt, where) ?? dayOfWhen(entry.ValDt, where);
  if (!bookedOn) throw new StatementProblem(`${where} has no day.`);
  // Not NtryRef: banks renumber entries in each statement.
  const id = idOf(entry.AcctSvcrRef ?? '', where);
  const cents = signed(entry, where);
  if (cents === 0) return [];
  const details = entry.NtryDtls.flatMap(({ TxDtls }) => TxDtls);
  const text = [entry.AddtlNtryInf, ...details.flatMap(wordsOf)].filter(Boolean).join(' ');
  const further = [
    ...entry.NtryDtls.flatMap(({ Btch }) => [Btch?.PmtInfId, Btch?.MsgId]),
    ...details.flatMap(furtherOf),
  ].filter((words) => words && !text.includes(words));
  return [
    { ...(id ? { id } : {}), bookedOn, cents, text, ...(further.length > 0 ? { further: further.join(' ') } : {}) },
  ];
}

/** Lists the words an entry has always been known by. */
const wordsOf = ({ Refs, RmtInf, AddtlTxInf }: Details): (string | undefined)[] => [
  Refs?.EndToEndId,
  Refs?.TxId,
  ...(RmtInf?.Ustrd ?? []),
  AddtlTxInf,
];

/** Lists the other elements in which banks put a reference, and the other party's name. */
const furtherOf = ({ Refs, RmtInf, RltdPties }: Details): (string | undefined)[] => [
  Refs?.InstrId,
  Refs?.PmtInfId,
  Refs?.MsgId,
  Refs?.ClrSysRef,
  ...(Refs?.Prtry ?? []).map(({ Ref }) => Ref),
  ...(RmtInf?.Strd ?? []).flatMap(({ CdtrRefInf, RfrdDocInf, AddtlRmtInf }) => [
    CdtrRefInf?.Ref,
    ...RfrdDocInf.map(({ Nb }) => Nb),
    ...AddtlRmtInf,
  ]),
  ...[RltdPties?.Dbtr, RltdPties?.Cdtr, RltdPties?.UltmtDbtr, RltdPties?.UltmtCdtr].map(
    (party) => party?.Nm ?? party?.Pty?.Nm,
  ),
];

/** Lists balances of the codes, those of the first code and in AUD first. */
const balancesOf = (balances: readonly Balance[], codes: readonly string[]): Balance[] =>
  codes
    .flatMap((code) => balances.filter(({ Tp }) => Tp.CdOrPrtry.Cd === code))
    .toSorted((one, other) => Number(other.Amt['@Ccy'] === 'AUD') - Number(one.Amt['@Ccy'] === 'AUD'));
