import { addDays, type Cents, cents, type IsoDate, parseReturnCode, type ReturnCode } from '@sparechange/domain';
import { BankFileProblem } from '#ports/bank-files.ts';
import { detailLayout, digitsOf, headerLayout, parseDate } from './aba.ts';
import { type Layout, linesOf, unpackRecord } from './record.ts';

/** Type 2, a line of a returns file: a type 1 with the reason in the indicator's place and the origin in the tax's. */
const { withholdingTax: _withholdingTax, ...detailFields } = detailLayout;
export const returnLayout = {
  ...detailFields,
  originalDay: [113, 114],
  originalUserId: [115, 120],
} as const satisfies Layout;

const [firstColumn, lastColumn] = returnLayout.amount;
/** Names where the amount stands, in the words of the banks' tables. */
export const amountColumns = `columns ${firstColumn} to ${lastColumn}`;

export interface ReturnLine {
  /** In the file, counted from 1. */
  line: number;
  /** Undefined if the bank wrote no valid return code. */
  code: ReturnCode | undefined;
  /** Undefined if the bank left it blank. */
  amountCents: Cents | undefined;
  reference: string;
  /** Both accounts of the record: which one is ours and which the customer's differs from bank to bank. */
  accounts: [string, string];
  /** The latest day of that number up to the day of the file: a return names only the day of the month. */
  processedOn: IsoDate | undefined;
  userId: string;
}

/** The latest day on or before `until` that has this number in its month; undefined for a number that is no day. */
export function latestDayNumbered(day: string, until: IsoDate): IsoDate | undefined {
  if (!/^(0[1-9]|[12]\d|3[01])$/.test(day)) return undefined;
  for (let back = 0; back < 62; back += 1) {
    const candidate = addDays(until, -back);
    if (candidate.slice(8) === day) return candidate;
  }
  return undefined;
}

const accountOf = (bsb: string, account: string): string => `${digitsOf(bsb)} ${digitsOf(account).replace(/^0+/, '')}`;

function decodeReturn(text: string, line: number, fileDay: IsoDate): ReturnLine {
  const fields = unpackRecord(returnLayout, text);
  if (!/^ *\d*$/.test(fields.amount))
    throw new BankFileProblem(
      `Line ${line} has no amount that can be read: its ${amountColumns} are no number of cents.`,
    );
  return {
    line,
    code: parseReturnCode(fields.indicator),
    amountCents: fields.amount === '' ? undefined : cents(Number(fields.amount)),
    reference: fields.reference.trim(),
    accounts: [accountOf(fields.bsb, fields.account), accountOf(fields.traceBsb, fields.traceAccount)],
    processedOn: latestDayNumbered(fields.originalDay, fileDay),
    userId: fields.originalUserId.trim().padStart(6, '0'),
  };
}

/**
 * Reads a bank's file of returned direct entries, whose lines end in CRLF or not. Its totals are not looked at: banks
 * differ in what they add up. Throws when it is something else or does not end, so that half a file is never taken.
 */
export function decodeReturns(content: string): ReturnLine[] {
  const lines = linesOf(content);
  const [first = ''] = lines;
  if (!first.startsWith('0'))
    throw new BankFileProblem('This is no file of returns: it does not begin with a record of type 0.');
  if (!lines.at(-1)?.startsWith('7'))
    throw new BankFileProblem('The file is not whole: its record of type 7 is missing.');
  const fileDay = parseDate(unpackRecord(headerLayout, first).processOn);
  return lines.slice(1, -1).map((text, index) => {
    const line = index + 2;
    if (!text.startsWith('2')) throw new BankFileProblem(`Line ${line} is no return: its type is '${text[0]}', not 2.`);
    return decodeReturn(text, line, fileDay);
  });
}
