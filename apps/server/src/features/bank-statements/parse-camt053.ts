import { type Cents, type IsoDate, negate, sydneyDay } from '@sparechange/domain';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { z } from 'zod';
import {
  centsOf,
  checkSums,
  dayOf,
  idOf,
  type StatementFile,
  type StatementLine,
  StatementProblem,
} from './statement-file.ts';

const Text = z.string().optional();
const Amount = z.object({ '#text': z.string(), '@Ccy': z.string() });
/** As long as the standard lets it be. */
const AccountNumber = z.string().max(34);
const When = z.object({ Dt: Text, DtTm: Text }).optional();
const Direction = z.enum(['CRDT', 'DBIT']);
const Details = z.object({
  Refs: z.looseObject({ EndToEndId: Text, TxId: Text }).optional(),
  RmtInf: z.looseObject({ Ustrd: z.array(z.string()).optional() }).optional(),
  AddtlTxInf: Text,
});
const Entry = z.object({
  Amt: Amount,
  CdtDbtInd: Direction,
  // A code alone in older versions of the message, an element around it in newer ones.
  Sts: z.union([z.string(), z.object({ Cd: z.string() })]),
  BookgDt: When,
  ValDt: When,
  AcctSvcrRef: Text,
  NtryDtls: z.array(z.looseObject({ TxDtls: z.array(Details).optional() })).optional(),
  AddtlNtryInf: Text,
});
const Balance = z.object({
  Tp: z.looseObject({ CdOrPrtry: z.looseObject({ Cd: Text }) }),
  Amt: Amount,
  CdtDbtInd: Direction,
});
const Statement = z.object({
  Acct: z.looseObject({
    Id: z.looseObject({ IBAN: AccountNumber.optional(), Othr: z.looseObject({ Id: AccountNumber }).optional() }),
  }),
  Bal: z.array(Balance).default([]),
  Ntry: z.array(Entry).default([]),
});
const Document = z.object({
  Document: z.looseObject({ BkToCstmrStmt: z.looseObject({ Stmt: z.array(Statement).min(1) }) }),
});

const repeated = new Set(['Stmt', 'Bal', 'Ntry', 'NtryDtls', 'TxDtls', 'Ustrd']);

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  alwaysCreateTextNode: false,
  isArray: (name) => repeated.has(name),
});

/** Reads one account's booked AUD entries from ISO 20022 camt.053. */
export function parseCamt053(content: string): StatementFile {
  if (content.includes('<!DOCTYPE')) throw new StatementProblem('A statement has no document type of its own.');
  const valid = XMLValidator.validate(content);
  if (valid !== true) throw new StatementProblem(`The XML is broken in line ${valid.err.line}: ${valid.err.msg}`);
  const parsed = Document.safeParse(read(content));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new StatementProblem(`This is no camt.053 statement: ${issue?.path.join('/')}: ${issue?.message}`);
  }
  const statements = parsed.data.Document.BkToCstmrStmt.Stmt;
  const accounts = new Set(statements.map(({ Acct }) => Acct.Id.Othr?.Id ?? Acct.Id.IBAN ?? ''));
  if (accounts.size > 1)
    throw new StatementProblem('The file holds statements of several accounts; import them apart.');
  const lines = statements.flatMap(({ Ntry }) => Ntry.flatMap(toLine));
  const opening = balanceOf(statements[0]?.Bal ?? [], ['OPBD', 'PRCD']);
  const closing = balanceOf(statements.at(-1)?.Bal ?? [], ['CLBD']);
  const file: StatementFile = {
    account: [...accounts][0] ?? '',
    ...(opening === undefined ? {} : { openingCents: opening }),
    ...(closing === undefined ? {} : { closingCents: closing }),
    lines,
  };
  checkSums(file);
  return file;
}

/** Throws StatementProblem for elements with names or depths that the parser takes from nobody. */
function read(content: string): unknown {
  try {
    return parser.parse(content);
  } catch (error) {
    throw new StatementProblem(`This is no camt.053 statement: ${(error as Error).message}`);
  }
}

const signed = ({ Amt, CdtDbtInd }: { Amt: z.infer<typeof Amount>; CdtDbtInd: 'CRDT' | 'DBIT' }, where: string) => {
  if (Amt['@Ccy'] !== 'AUD') throw new StatementProblem(`${where}: ${Amt['@Ccy']} is not AUD.`);
  const amount = centsOf(Amt['#text'], where);
  if (amount < 0) throw new StatementProblem(`${where}: the amount ${Amt['#text']} has a sign beside ${CdtDbtInd}.`);
  return CdtDbtInd === 'DBIT' ? negate(amount) : amount;
};

const zone = /(?:Z|[+-]\d{2}:\d{2})$/;

/** Returns the day that is written, or that of an instant in Sydney; a time without a zone is the bank's own. */
function dayOfWhen(when: z.infer<typeof When>, where: string): IsoDate | undefined {
  if (when?.Dt) return dayOf(when.Dt.replace(zone, ''), where);
  if (!when?.DtTm) return undefined;
  const [day = '', time = ''] = when.DtTm.split('T');
  const written = dayOf(day, where);
  if (!zone.test(time)) return written;
  const instant = new Date(when.DtTm);
  return Number.isNaN(instant.getTime()) ? dayOf(when.DtTm, where) : sydneyDay(instant);
}

/** Entries that are pending, to come or for information are listed again once they are booked. */
const notBooked = ['PDNG', 'FUTR', 'INFO'];

function toLine(entry: z.infer<typeof Entry>, at: number): StatementLine[] {
  const where = `entry ${at + 1}`;
  const state = typeof entry.Sts === 'string' ? entry.Sts : entry.Sts.Cd;
  if (notBooked.includes(state)) return [];
  if (state !== 'BOOK') throw new StatementProblem(`${where} has the unknown state ${state}.`);
  const bookedOn = dayOfWhen(entry.BookgDt, where) ?? dayOfWhen(entry.ValDt, where);
  if (!bookedOn) throw new StatementProblem(`${where} has no day.`);
  const details = (entry.NtryDtls ?? []).flatMap(({ TxDtls = [] }) => TxDtls);
  const words = details.flatMap(({ Refs, RmtInf, AddtlTxInf }) => [
    Refs?.EndToEndId,
    Refs?.TxId,
    ...(RmtInf?.Ustrd ?? []),
    AddtlTxInf,
  ]);
  // Not NtryRef: banks number entries anew in each statement.
  const id = idOf(entry.AcctSvcrRef ?? '', where);
  const cents = signed(entry, where);
  if (cents === 0) return [];
  const text = [entry.AddtlNtryInf, ...words].filter(Boolean).join(' ');
  return [{ ...(id ? { id } : {}), bookedOn, cents, text }];
}

function balanceOf(balances: z.infer<typeof Balance>[], codes: string[]): Cents | undefined {
  const balance = balances.find(({ Tp }) => codes.includes(Tp.CdOrPrtry.Cd ?? ''));
  return balance && signed(balance, 'the balance');
}
