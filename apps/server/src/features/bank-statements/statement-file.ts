import { day as dayOfCentury } from '@sparechange/contract/day';
import { add, type Cents, cents, formatCents, type IsoDate, negate, noCents, total } from '@sparechange/domain';
import { InvalidInput } from '#errors.ts';

/** One booked movement on the trust account. */
export interface StatementLine {
  /** The bank's own line id, if it gives one. */
  id?: string;
  bookedOn: IsoDate;
  /** Positive is money that came in. */
  cents: Cents;
  /** Everything the line says in words, references included. */
  text: string;
}

export interface StatementFile {
  /** The account number as the file gives it, if any. */
  account?: string;
  openingCents?: Cents;
  closingCents?: Cents;
  lines: StatementLine[];
}

/** Thrown if a file is no complete statement; says where. */
export class StatementProblem extends InvalidInput {}

/** Commas stand between thousands only: 1,50 is no amount of 150 dollars. */
const amountPattern = /^([+-]?)\$?(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/;

/** Reads dollars such as -1,234.50 as whole cents. */
export function centsOf(text: string, where: string): Cents {
  const [, sign, dollars = '', fraction = ''] = amountPattern.exec(text.trim()) ?? [];
  if (!dollars) throw new StatementProblem(`${where}: "${text}" is not an amount.`);
  const amount = cents(Number(dollars.replaceAll(',', '')) * 100 + Number(fraction.padEnd(2, '0')));
  return sign === '-' ? negate(amount) : amount;
}

/** Reads a day, which may have been written in another order than that of ISO 8601. */
export function dayOf(day: string, where: string, written = day): IsoDate {
  const { data } = dayOfCentury.safeParse(day.trim());
  if (data === undefined) throw new StatementProblem(`${where}: "${written}" is not a day such as 2026-11-25.`);
  return data;
}

/** Returns the bank's own id of a line; undefined for none. People name a line by it. */
export function idOf(text: string, where: string): string | undefined {
  if (text === '') return undefined;
  if (!/^\P{C}{1,200}$/u.test(text))
    throw new StatementProblem(`${where}: the bank's id has more than 200 characters, or hidden ones.`);
  return text;
}

/** Limits what a statement may come to: sums of many statements stay exact, and a booked line stays for ever. */
const maxStatementCents = cents(10_000_000_000_000);

/** Throws for a statement whose amounts cannot be right. */
export function checkSums(file: StatementFile): void {
  checkAmounts(file);
  checkBalances(file);
}

/** Throws where a statement comes to more than any trust account holds. */
function checkAmounts({ openingCents = noCents, lines }: StatementFile): void {
  const sum = lines.reduce((moved, line) => moved + Math.abs(line.cents), Math.abs(openingCents));
  if (sum > maxStatementCents)
    throw new StatementProblem(`The amounts come to more than ${formatCents(maxStatementCents)}.`);
}

/** Throws unless the lines lead from the opening to the closing balance: half a file must not be imported. */
function checkBalances({ openingCents, closingCents, lines }: StatementFile): void {
  if (openingCents === undefined || closingCents === undefined) return;
  const sum = add(openingCents, total(lines.map(({ cents }) => cents)));
  if (sum !== closingCents)
    throw new StatementProblem(`The lines lead to a balance of ${sum} cents, the file says ${closingCents}.`);
}
