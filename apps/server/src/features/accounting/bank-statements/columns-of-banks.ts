import { type Cents, inIsoOrder, magnitude, negate, noCents } from '@sparechange/domain';
import { quoted } from '#errors.ts';
import type { NamedRow } from './others-in-csv.ts';
import { centsOf, StatementProblem } from './statement-file.ts';

/** Columns by their meanings. */
export interface BankColumns {
  date: string;
  /** One column of signed amounts, or one of outgoing and one of incoming money. */
  amount: string | { debit: string; credit: string };
  /** Words by which the bank tells a movement; they distinguish lines. */
  description: string;
  reference: string | undefined;
  id: string | undefined;
  balance: string | undefined;
  /** Further words about a movement, some of them edited by people; they distinguish no lines. */
  further: string[];
}

/** Names that banks give to a column, the one to prefer first. */
const names = {
  date: ['date', 'transaction_date', 'tran_date', 'posting_date', 'posted_date', 'booking_date'],
  amount: ['amount', 'transaction_amount'],
  debit: ['debit', 'debit_amount', 'debits', 'withdrawal', 'withdrawals', 'money_out', 'paid_out'],
  credit: ['credit', 'credit_amount', 'credits', 'deposit', 'deposits', 'money_in', 'paid_in'],
  // A description that the customer may edit is not the one by which the bank exports a movement again.
  description: [
    'original_description',
    'description',
    'narrative',
    'transaction_details',
    'transaction_description',
    'details',
  ],
  reference: ['reference'],
  id: ['transaction_id'],
  balance: ['balance', 'running_balance', 'balance_after', 'account_balance', 'closing_balance', 'closing_bal'],
} as const;

const furtherNames = [
  ...['details', 'more_details', 'transaction_type', 'serial', 'serial_number'],
  ...['end_to_end_id', 'remittance_information/unstructured_1', 'remittance_information/unstructured_2'],
];

type Meaning = keyof typeof names;

/** Meanings that a file must have a column for, as a message names them. */
const requiredMeanings = ['date', 'amount', 'description'] as const;

const columnOf = (columns: readonly string[], meaning: Meaning): string | undefined =>
  names[meaning].find((name) => columns.includes(name));

/** Names the required meanings that no column has. */
export function missingMeanings(columns: readonly string[]): string[] {
  const has = (meaning: Meaning) => columnOf(columns, meaning) !== undefined;
  return requiredMeanings.filter(
    (meaning) => !has(meaning) && !(meaning === 'amount' && has('debit') && has('credit')),
  );
}

/** Finds the columns that the reader takes; the required ones are there. */
export function meaningsOf(columns: readonly string[]): BankColumns {
  const find = (meaning: Meaning) => columnOf(columns, meaning);
  const description = find('description') ?? '';
  return {
    date: find('date') ?? '',
    amount: find('amount') ?? { debit: find('debit') ?? '', credit: find('credit') ?? '' },
    description,
    reference: find('reference'),
    id: find('id'),
    balance: find('balance'),
    further: furtherNames.filter((name) => name !== description && columns.includes(name)),
  };
}

/** Returns a meaning's column that the first line names twice. */
export function repeatedColumn(columns: readonly string[]): string | undefined {
  const taken = (Object.keys(names) as Meaning[]).map((meaning) => columnOf(columns, meaning));
  return taken.find((name) => name !== undefined && columns.indexOf(name) !== columns.lastIndexOf(name));
}

/** Returns the amount of a row of two columns; some banks write outgoing money with a minus, others without. */
export function sidesOf(rows: readonly NamedRow[], sides: { debit: string; credit: string }): Cents[] {
  const cents = (row: NamedRow, side: string) => (row.cell(side) === '' ? noCents : centsOf(row.cell(side), row.where));
  const signs = new Set(rows.map((row) => Math.sign(cents(row, sides.debit))).filter(Boolean));
  return rows.map((row) => {
    const [debit, credit] = [cents(row, sides.debit), cents(row, sides.credit)];
    const written = `${sides.debit} ${quoted(row.cell(sides.debit))}, ${sides.credit} ${quoted(row.cell(sides.credit))}`;
    const refuse = (words: string) => {
      throw new StatementProblem(`${row.where}: ${written}: ${words}`);
    };
    if (debit !== 0 && credit !== 0) refuse('a line has one amount, in one of the two columns.');
    if (row.cell(sides.debit) === '' && row.cell(sides.credit) === '')
      refuse('the line has no amount. Delete it if it tells a balance alone.');
    if (credit < 0) refuse(`incoming money has no minus. Write it as ${sides.debit} if it left.`);
    if (debit !== 0 && signs.size > 1)
      refuse('some outgoing amounts have a minus and others none, so it is not certain what they mean.');
    return debit === 0 ? credit : negate(magnitude(debit));
  });
}

/** An export without a first line of names, recognised by its cells. */
interface NamelessExport {
  columns: string[];
  fits: (cells: readonly string[]) => boolean;
}

const isNumber = (cell = ''): boolean => /^[\d-]{6,16}$/.test(cell.trim());
const isDay = (cell = ''): boolean => /^\d{4}-\d{2}-\d{2}$/.test(inIsoOrder(cell.trim()));
const isAmount = (cell = ''): boolean => /^[+-]?\$?[\d,]{1,20}\.\d\d$/.test(cell.trim());
const isWords = (cell = ''): boolean => /\p{L}/u.test(cell);
const areEmpty = (cells: readonly string[]): boolean => cells.every((cell) => !cell);

const namelessExports: readonly NamelessExport[] = [
  {
    columns: ['date', 'amount', 'description', 'balance'], // Commonwealth Bank; ANZ and Bendigo without the last
    fits: ([day, amount, words, balance = '', ...more]) =>
      isDay(day) && isAmount(amount) && isWords(words) && (!balance || isAmount(balance)) && areEmpty(more),
  },
  {
    columns: ['date', 'amount', 'description', 'details', 'more_details', '', '', ''], // ANZ with the payer's words
    fits: ([day, amount, words, details, more, ...empty]) =>
      isDay(day) &&
      isAmount(amount) &&
      isWords(words) &&
      [details, more].every((cell) => !cell || isWords(cell)) &&
      empty.length === 3 &&
      areEmpty(empty),
  },
  {
    columns: ['bank_account', 'date', 'narrative', 'debit_amount', 'credit_amount', 'balance', 'categories', 'serial'],
    fits: ([account, day, words, debit, credit, balance, category, serial, ...more]) =>
      isNumber(account) &&
      isDay(day) &&
      isWords(words) &&
      (debit ? isAmount(debit) && !credit : isAmount(credit)) &&
      isAmount(balance) &&
      /^(?:[A-Z][A-Z ]{1,20})?$/.test(category ?? '') &&
      /^\d{0,12}$/.test(serial ?? '') &&
      areEmpty(more), // Westpac
  },
  {
    columns: [
      ...['tran_date', 'account_no', 'account_name', 'ccy', 'closing_bal'],
      ...['amount', 'tran_code', 'narrative', 'serial'],
    ], // Westpac's Corporate Online
    fits: ([day, account, name, currency, balance, amount, code, words, serial, ...more]) =>
      /^\d{8}$/.test(day ?? '') &&
      isDay(day) &&
      isNumber(account) &&
      isWords(name) &&
      /^[A-Z]{3}$/.test(currency ?? '') &&
      isAmount(balance) &&
      (isAmount(amount) ? isWords(words) : areEmpty([amount ?? '', code ?? '', words ?? '', serial ?? ''])) &&
      /^\d{0,3}$/.test(code ?? '') &&
      areEmpty(more),
  },
  {
    columns: ['date', 'amount', 'account_number', '', 'transaction_type', 'transaction_details', 'balance'], // NAB
    fits: (cells) =>
      isDay(cells[0]) &&
      isAmount(cells[1]) &&
      /^[\dX]{5,16}$/i.test(cells[2] ?? '') &&
      !cells[3] &&
      isWords(`${cells[4]} ${cells[5]}`) &&
      (!cells[6] || isAmount(cells[6])) &&
      areEmpty(cells.slice(7)),
  },
];

/** Returns the columns of an export that begins with a movement; undefined unless every row is one of one bank's. */
export const namelessColumns = (rows: readonly { cells: readonly string[] }[]): string[] | undefined =>
  rows.length === 0 ? undefined : namelessExports.find(({ fits }) => rows.every(({ cells }) => fits(cells)))?.columns;
