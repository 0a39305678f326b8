import type { ColumnMapping } from '@sparechange/contract/console';
import { day as dayOfCentury } from '@sparechange/contract/day';
import { add, type Cents, cents, formatCents, type IsoDate, negate, noCents, total } from '@sparechange/domain';
import { InvalidInput, quoted } from '#errors.ts';

/** One booked movement on the trust account. */
export interface StatementLine {
  /** The bank's own line id, if it gives one. */
  id?: string;
  bookedOn: IsoDate;
  /** Positive for incoming money. */
  cents: Cents;
  /** Full text of the line, references included. */
  text: string;
  /** References and names from other elements; they distinguish no lines. */
  further?: string;
}

/** Rows that contradict a CSV file's own column of balances, or are not proven by it. */
export interface Unproven {
  /** Sum of absolute amounts, by which a person accepts them. */
  cents: Cents;
  /** Balances less the amounts that the rows lead to. */
  missingCents: Cents;
  /** Message that names the line and the remedy. */
  words: string;
}

export type StatementFormat = 'CSV' | 'camt.053' | 'MT940' | 'OFX' | 'BAI2';

export interface StatementFile {
  /** The bank that exports such columns, as its customers call it, if they tell. */
  bank?: string | undefined;
  /** Mapping by which a person's choice read the columns of a CSV file, and the hash of their heading. */
  mapped?: { headingHash: string; mapping: ColumnMapping };
  /** The account number as the file gives it, if any. */
  account?: string;
  /** True if each row names the account, in a column that a person could leave out. */
  isAccountOfRows?: boolean;
  openingCents?: Cents;
  closingCents?: Cents;
  /** Day of the closing balance, if the file states it. */
  closingOn?: IsoDate;
  /** True if the balances come from a CSV file's column, beside its lines. */
  hasRunningBalance?: boolean;
  /** Balances if the rows of the one day are read in reverse, which fits as well. */
  otherOrder?: Pick<StatementFile, 'openingCents' | 'closingCents'> & { unproven: Unproven | undefined };
  unproven?: Unproven | undefined;
  lines: StatementLine[];
}

/** Thrown for an incomplete statement; names the place. */
export class StatementProblem extends InvalidInput {}

/** Thrown with a question that a person has to answer before anything is booked. */
export class ImportQuestion extends StatementProblem {
  readonly question: 'changedLines' | 'acceptedCents';
  /** The difference to accept; zero for lines in doubt. */
  readonly askedCents: Cents;

  constructor(words: string, question: ImportQuestion['question'], askedCents: Cents) {
    super(words, { [question]: words });
    this.question = question;
    this.askedCents = askedCents;
  }
}

/** Accepts commas only between thousands: 1,50 is not 150 dollars. */
const amountPattern = /^([+-]?)\$?(\d{1,20}|\d{1,3}(?:,\d{3}){1,4}|)(?:\.(\d{0,20}))?$/;

const dashes = /[\u2010-\u2015\u2212\uFE63\uFF0D]/g;

/** Puts a minus before the dollars where accounting writes brackets, or a bank writes it behind them. */
function withMinusBefore(text: string): string {
  const written = text.trim().replace(dashes, '-');
  const [, bracketed, before] = /^\$?\s?\(\s?(\$?[\d.,]+)\s?\)$|^(\$?[\d.,]+)\s?-$/.exec(written) ?? [];
  const negative = bracketed ?? before;
  return negative === undefined ? written.replace(/^(?:\$\s?-|-\s?\$)\s?(?=[\d.])/, '-$') : `-${negative}`;
}

/** Reads dollars such as -1,234.50 or (1,234.50) as whole cents; throws only for a real fraction of a cent. */
export function centsOf(text: string, where: string): Cents {
  const [, sign, grouped = '', fraction = ''] = amountPattern.exec(withMinusBefore(text)) ?? [];
  const dollars = grouped.replaceAll(',', '').replace(/^0+(?=\d)/, '');
  const isNumber = `${dollars}${fraction}` !== '' && dollars.length <= 12;
  if (!isNumber) throw new StatementProblem(`${where}: ${quoted(text)} is not an amount${remedyFor(text)}.`);
  if (!/^\d{0,2}0*$/.test(fraction))
    throw new StatementProblem(`${where}: ${quoted(text)} is not an amount of whole cents, such as 12.50.`);
  const amount = cents(Number(dollars) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0')));
  return sign === '-' ? negate(amount) : amount;
}

/** Marks of outgoing money, as banks and spreadsheets write them; a minus may be another dash. */
const leaving = /^[([]|[)\]]$|[-\u2010-\u2015\u2212\uFE63\uFF0D]|\b(?:DR|DB|DEBIT)\b/i;

/** Longer text is no amount with a superfluous sign. */
const maxRewritten = 40;

/** Explains how to write an amount, in its own digits if those are certain. */
function remedyFor(text: string): string {
  const example = ': write 12.50, or -12.50 where money left';
  if (text.length > maxRewritten || /[\d.,]\s*E[+-]?\d/i.test(text)) return example;
  const comma = /^\D*(\d+),(\d{1,2})\D*$/.exec(text);
  if (comma) return `: write ${comma[1]}.${comma[2]?.padEnd(2, '0')} with a point before the cents`;
  const digits = text.replace(/[^\d.]/g, '');
  if (!/^\d+\.\d\d$/.test(digits)) return example;
  return `: write ${leaving.test(text.trim()) ? '-' : ''}${digits}`;
}

/** Reads a day, which may be written in another order than that of ISO 8601. */
export function dayOf(day: string, where: string, written = day): IsoDate {
  const { data } = dayOfCentury.safeParse(day.trim());
  if (data !== undefined) return data;
  const remedy = /^\d{5}(?:\.\d+)?$/.test(written)
    ? ': format the column as dates in the spreadsheet'
    : /^\D+$/.test(written)
      ? ': delete the line if no money moved in it'
      : '';
  throw new StatementProblem(`${where}: ${quoted(written)} is not a day such as 2026-11-25${remedy}.`);
}

/** Reads a day written YYMMDD, of this century. */
export const dayOfSix = (six: string, where: string): IsoDate =>
  dayOf(`20${six.slice(0, 2)}-${six.slice(2, 4)}-${six.slice(4)}`, where, six);

/** Returns the bank's own id of a line; undefined if there is none. People name a line by it. */
export function idOf(text: string, where: string): string | undefined {
  if (text === '') return undefined;
  if (!/^\P{C}{1,200}$/u.test(text))
    throw new StatementProblem(`${where}: the bank's id has more than 200 characters, or hidden ones.`);
  return text;
}

/** Limits the total of a statement: sums of many statements stay exact, and a booked line stays for ever. */
const maxStatementCents = cents(10_000_000_000_000);

/** Throws if statements exceed the total of any trust account. */
export function checkAmounts({ openingCents = noCents, lines }: Pick<StatementFile, 'openingCents' | 'lines'>): void {
  const sum = lines.reduce((moved, line) => moved + Math.abs(line.cents), Math.abs(openingCents));
  if (sum > maxStatementCents)
    throw new StatementProblem(`The amounts come to more than ${formatCents(maxStatementCents)}.`);
}

/** Throws unless the lines lead from the opening to the closing balance: half a file must not be imported. */
export function checkBalances({ openingCents, closingCents, lines }: StatementFile, where = 'The lines'): void {
  if (openingCents === undefined || closingCents === undefined) return;
  const sum = add(openingCents, total(lines.map(({ cents }) => cents)));
  if (sum !== closingCents)
    throw new StatementProblem(
      `${where} lead to a balance of ${formatCents(sum)}, the file says ${formatCents(closingCents)}.`,
    );
}
