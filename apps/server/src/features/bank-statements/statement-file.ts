import { add, type Cents, cents, type IsoDate, isoDate, negate, total } from '@sparechange/domain';
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

export function dayOf(text: string, where: string): IsoDate {
  try {
    return isoDate(text.trim());
  } catch {
    throw new StatementProblem(`${where}: "${text}" is not a day such as 2026-11-25.`);
  }
}

/** Throws unless the lines lead from the opening to the closing balance: half a file must not be imported. */
export function checkBalances({ openingCents, closingCents, lines }: StatementFile): void {
  if (openingCents === undefined || closingCents === undefined) return;
  const sum = add(openingCents, total(lines.map(({ cents }) => cents)));
  if (sum !== closingCents)
    throw new StatementProblem(`The lines lead to a balance of ${sum} cents, the file says ${closingCents}.`);
}
