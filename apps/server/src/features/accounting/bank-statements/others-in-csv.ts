import { inIsoOrder } from '@sparechange/domain';
import { quoted } from '#errors.ts';
import { type ColumnKind, isOfOthers, kindOf } from './columns-of-others.ts';
import { StatementProblem } from './statement-file.ts';

/** One row of a CSV file, by the names of its columns. */
export interface NamedRow {
  where: string;
  cell: (name: string) => string;
}

const booked = new Set([
  ...['', 'BOOK', 'BOOKED', 'POSTED', 'COMPLETE', 'COMPLETED', 'CLEARED', 'SETTLED', 'PROCESSED', 'DONE', 'FINAL'],
  ...['SUCCESS', 'SUCCESSFUL', 'SUCCEEDED', 'EXECUTED', 'PAID', 'CONFIRMED', 'FINALISED', 'FINALIZED', 'BOOKED/POSTED'],
]);
const dollars = new Set(['', 'AUD', 'A$', 'AU$', 'AUD$', '$', 'AUSTRALIAN DOLLAR', 'AUSTRALIAN DOLLARS', '036', '36']);
const no = new Set(['', 'N', 'NO', 'FALSE', '0', '-']);
const yes = new Set(['', 'Y', 'YES', 'TRUE', '1', 'X', '\u2713', '\u2714']);

/** Words that, in a column of any name, mean on their own that a movement is not booked. */
const notBooked = new Set([
  ...['PEND', 'PDNG', 'UNSETTLED', 'UNBOOKED', 'UNCONFIRMED', 'PROVISIONAL', 'REFUSED', 'VOID', 'VOIDED', 'EXPIRED'],
  ...['AUTHORISED', 'AUTHORIZED', 'AUTHORISATION', 'AUTHORIZATION', 'SCHEDULED', 'UPCOMING', 'QUEUED', 'FORECAST'],
  ...['NOT POSTED', 'NOT BOOKED', 'NOT CLEARED', 'ON HOLD', 'IN PROGRESS'],
]);
/** Words that mean the same at the beginning or end of a cell, too. */
const endsOfNotBooked = new Set([
  ...['PENDING', 'UNPOSTED', 'UNCLEARED', 'DECLINED', 'REJECTED', 'FAILED', 'CANCELLED', 'CANCELED', 'REVERSED'],
]);
/** Movements that follow from a failed one. */
const afterwards = new Set(['FEE', 'FEES', 'CHARGE', 'CHARGES', 'REFUND', 'REVERSAL', 'RETURN']);
/** The only such words in text written by people, and only on their own. */
const notYet = new Set([
  'PENDING',
  'PENDING TRANSACTION',
  'PENDING PAYMENT',
  'PENDING DEPOSIT',
  'UNPOSTED',
  'UNCLEARED',
]);
const writtenByPeople =
  /description|detail|narrat|reference|memo|particular|payee|payer|merchant|name|remark|comment|note/;

const plain = (cell: string): string => cell.toUpperCase();

function isNotBooked(cell: string, column: string): boolean {
  const words = cell.split(/[^\p{L}]+/u).filter(Boolean);
  const said = words.join(' ');
  if (writtenByPeople.test(column)) return notYet.has(said);
  if (notBooked.has(said)) return true;
  if (words.some((word) => afterwards.has(word)) && !words.includes('PENDING')) return false;
  return [words[0] ?? '', words.at(-1) ?? ''].some((end) => endsOfNotBooked.has(end));
}

const isDay = (cell: string): boolean => /^\d{4}-\d{2}-\d{2}/.test(inIsoOrder(cell));

/** Throws for the first cell of some columns with a different value, with the given message. */
function refuseCells(
  rows: readonly NamedRow[],
  columns: readonly string[],
  isOurs: (cell: string, column: string) => boolean,
  words: (cell: string, column: string) => string,
): void {
  for (const column of columns)
    for (const { where, cell } of rows)
      if (!isOurs(plain(cell(column)), column))
        throw new StatementProblem(`${where}: ${words(quoted(cell(column)), column)}`);
}

const byHand = 'Export booked movements alone, or delete that line.';

/**
 * Throws for a row that is of another account, in another currency or not booked, according to the bank's columns.
 * Returns the account's number, if a column has it.
 */
export function refuseOthers(columns: readonly string[], rows: readonly NamedRow[]): string | undefined {
  const ofKind = (...kinds: ColumnKind[]) => columns.filter((column) => kinds.includes(kindOf(column) as ColumnKind));
  const currencies = ofKind('currency');
  const own = currencies.filter((column) => !isOfOthers(column));
  refuseCells(
    rows,
    own.length > 0 ? own : currencies,
    (cell) => dollars.has(cell),
    (cell) => `the currency ${cell} is not AUD. Delete lines in other currencies.`,
  );
  refuseCells(
    rows,
    ofKind('state'),
    (cell) => booked.has(cell),
    (cell, column) => `the ${column} ${cell} does not say that it is booked. ${byHand}`,
  );
  refuseCells(
    rows,
    ofKind('not booked'),
    (cell) => no.has(cell),
    (cell, column) => `${column} is ${cell}. ${byHand}`,
  );
  const isMarked = (column: string) => rows.some(({ cell }) => cell(column) !== '');
  refuseCells(
    rows,
    ofKind('booked').filter(isMarked),
    (cell) => cell !== '' && (yes.has(cell) || isDay(cell)),
    (cell, column) => `${column} is ${cell}. ${byHand}`,
  );
  refuseCells(
    rows,
    ofKind('words', 'account name'),
    (cell, column) => !isNotBooked(cell, column),
    (cell, column) => `${column} is ${cell}, which does not say that it is booked. ${byHand}`,
  );
  for (const column of ofKind('account name')) refuseSeveral(rows, [column]);
  return accountOf(rows, ofKind('bsb'), ofKind('account'));
}

/** Throws for a row of another account than the rows before it; returns the first account named. */
function refuseSeveral(rows: readonly NamedRow[], columns: readonly string[]): NamedRow | undefined {
  let first: { row: NamedRow; written: string; spelled: string } | undefined;
  for (const row of rows) {
    const written = columns.map(row.cell).filter(Boolean).join(' ');
    const spelled = plain(written).replace(/[^\p{L}\p{N}]/gu, '');
    if (spelled === '') continue;
    first ??= { row, written, spelled };
    if (spelled !== first.spelled)
      throw new StatementProblem(
        `${row.where}: it is of the account ${quoted(written)}, the lines before of ${quoted(first.written)}. Import the lines of each account apart.`,
      );
  }
  return first?.row;
}

/** Minimum digits of an account number, unless the others are masked; anything else is a name. */
const leastDigits = 5;
const maskedNumber = /[X*\u2022]{2}[ -]?\d{3,4}$/i;

function accountOf(rows: readonly NamedRow[], bsb: readonly string[], account: readonly string[]): string | undefined {
  const row = refuseSeveral(rows, [...bsb, ...account]);
  const [number] = account.map((column) => row?.cell(column) ?? '').filter(Boolean);
  if (!row || number === undefined) return undefined;
  const written = [...bsb.map(row.cell), number].filter(Boolean).join(' ');
  return written.replace(/\D/g, '').length >= leastDigits || maskedNumber.test(written) ? written : undefined;
}
