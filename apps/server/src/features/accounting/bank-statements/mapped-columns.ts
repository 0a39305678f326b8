import type { ColumnMapping, ColumnMeaning, DayForm, UnknownColumns } from '@sparechange/contract/console';
import { inIsoOrder, isSerialDay, withoutTime } from '@sparechange/domain';
import type { CsvRow } from '#csv.ts';
import type { BankColumns } from './columns-of-banks.ts';
import type { NamedRow } from './others-in-csv.ts';
import { StatementProblem } from './statement-file.ts';

/** Thrown for a CSV file whose columns nobody knows; a person may say what they are. */
export class ColumnQuestion extends StatementProblem {
  readonly unknown: UnknownColumns;

  constructor(words: string, unknown: UnknownColumns) {
    super(words, { mapping: words });
    this.unknown = unknown;
  }
}

const isIsoDay = (day: string): boolean => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : undefined;
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
};

const places: Record<Exclude<DayForm, 'as_written'>, readonly ['y' | 'm' | 'd', 'y' | 'm' | 'd', 'y' | 'm' | 'd']> = {
  day_first: ['d', 'm', 'y'],
  month_first: ['m', 'd', 'y'],
  year_first: ['y', 'm', 'd'],
};

/** Returns a day in the order of ISO 8601, as a form reads it; any other text as it is. */
export function dayInForm(written: string, form: DayForm): string {
  if (form === 'as_written') return inIsoOrder(written);
  const text = withoutTime(written);
  const compact = form === 'year_first' ? /^(\d{4})(\d\d)(\d\d)$/ : /^(\d\d)(\d\d)(\d{4})$/;
  const [, one = '', two = '', three = ''] =
    /^(\d{1,4})[-/. ](\d{1,2})[-/. ](\d{1,4})$/.exec(text) ?? compact.exec(text) ?? [];
  const part = { y: '', m: '', d: '' };
  for (const [at, value] of [one, two, three].entries()) part[places[form][at] ?? 'd'] = value;
  const isShort = part.y.length === 2 || part.y.length === 4;
  if (!isShort || part.m.length > 2 || part.d.length > 2) return written;
  return `${part.y.padStart(4, '20')}-${part.m.padStart(2, '0')}-${part.d.padStart(2, '0')}`;
}

const tellsItself = (cell: string): boolean =>
  /[a-z]/i.test(withoutTime(cell)) ||
  /^\d{4}\D/.test(cell) ||
  isSerialDay(cell) ||
  (/^\d{8}$/.test(cell) && inIsoOrder(cell) !== cell);
/** Returns whether a spreadsheet shows some of the days as numbers: it may have taken the month of those for the day. */
export const isPartlySerial = (cells: readonly string[]): boolean =>
  cells.some(isSerialDay) && !cells.every(isSerialDay);

const numericForms = ['day_first', 'month_first', 'year_first'] as const;

/** Returns the forms in which every cell is a day; a form that the cells tell themselves is the only one. */
function formsOf(cells: readonly string[]): DayForm[] {
  const isEvery = (form: DayForm) => cells.length > 0 && cells.every((cell) => isIsoDay(dayInForm(cell, form)));
  if (cells.every(tellsItself)) return isEvery('as_written') && !isPartlySerial(cells) ? ['as_written'] : [];
  return numericForms.filter(isEvery);
}

const namesOf: readonly [RegExp, ColumnMeaning][] = [
  [/balance|saldo|\bbal\b/, 'balance'],
  [/\b(?:date|day|datum|posted)\b/, 'day'],
  [/debit|withdraw|\b(?:out|dr)\b/, 'debit'],
  [/credit|deposit|\b(?:in|cr)\b/, 'credit'],
  [/amount|betrag/, 'amount'],
  [/descr|narrat|detail|particular|memo|text|words|payee/, 'words'],
  [/\bref|reference/, 'reference'],
];

const amountLike = /^[(+-]?\s?\$?\s?[\d,]{0,20}(?:\.\d{0,20})?\)?(?:\s?(?:CR|DR))?$/i;
const isAmountLike = (cell: string): boolean => /\d/.test(cell) && amountLike.test(cell);

interface LookedAt {
  name: string;
  dayForms: DayForm[];
  isAmount: boolean;
  isWords: boolean;
}

/** Guesses meanings by the names of columns, then by their cells; each but words goes to one column. */
function guess(columns: readonly LookedAt[]): (ColumnMeaning | null)[] {
  const guessed = columns.map(({ name, dayForms }): ColumnMeaning | null => {
    const words = name.toLowerCase().replaceAll('_', ' ');
    const [, meaning = null] = namesOf.find(([pattern]) => pattern.test(words)) ?? [];
    return meaning === 'day' && dayForms.length === 0 ? null : meaning;
  });
  const has = (...meanings: ColumnMeaning[]) =>
    guessed.some((meaning) => meaning !== null && meanings.includes(meaning));
  const give = (meaning: ColumnMeaning, fits: (column: LookedAt) => boolean) => {
    const at = columns.findIndex((column, place) => guessed[place] === null && fits(column));
    if (at >= 0) guessed[at] = meaning;
  };
  if (!has('day')) give('day', ({ dayForms }) => dayForms.length > 0);
  if (!has('amount', 'debit', 'credit')) give('amount', ({ isAmount }) => isAmount);
  if (!has('words')) give('words', ({ isWords }) => isWords);
  return guessed.map((meaning, place) => (meaning !== 'words' && guessed.indexOf(meaning) < place ? null : meaning));
}

const rowsShown = 6;
const cellsLookedAt = 5_000;
const maxCell = 80;
const maxColumns = 60;

/** Returns whether a line names columns: a movement has a day or an amount. */
export const isHeading = ({ cells }: Pick<CsvRow, 'cells'>): boolean =>
  !cells.some((cell) => formsOf([cell]).length > 0 || (cell !== '' && isAmountLike(cell)));

/** Describes a file's columns for a person to say what they are; undefined for a file that is no table. */
export function unknownColumnsOf(all: readonly CsvRow[]): UnknownColumns | undefined {
  const [first] = all;
  const count = first?.cells.length ?? 0;
  const hasNames = first !== undefined && isHeading(first);
  const rows = (hasNames ? all.slice(1) : all).slice(0, cellsLookedAt);
  if (count < 3 || count > maxColumns || rows.length === 0) return undefined;
  const looked = Array.from({ length: count }, (_, at): LookedAt => {
    const cells = rows.map((row) => row.cells[at]?.trim() ?? '');
    const filled = cells.filter(Boolean);
    return {
      name: hasNames ? (first.cells[at] ?? '').slice(0, maxCell) : '',
      dayForms: filled.length === cells.length ? formsOf(cells) : [],
      isAmount: filled.length > 0 && filled.every(isAmountLike),
      isWords: filled.some((cell) => /\p{L}/u.test(cell)),
    };
  });
  const guesses = guess(looked);
  return {
    columns: looked.map(({ name, dayForms }, at) => ({ name, dayForms, guess: guesses[at] ?? null })),
    rows: rows.slice(0, rowsShown).map((row) => looked.map((_, at) => (row.cells[at] ?? '').slice(0, maxCell))),
  };
}

const ourNames = { day: 'date', words: 'description' } as const;
const nameOf = (meaning: ColumnMeaning): string =>
  meaning === 'day' || meaning === 'words' ? ourNames[meaning] : meaning;

interface Mapped {
  columns: string[];
  meanings: BankColumns;
  /** Wraps a row, so that its day and words are read as the mapping says. */
  read: (row: NamedRow) => NamedRow;
}

/**
 * Names a file's columns by a mapping. Those left out keep their names, as they may say that a row is not ours. Several
 * columns of words are one text.
 */
export function mapColumns(names: readonly string[], mapping: ColumnMapping): Mapped {
  const taken = new Set(mapping.columns.flatMap((meaning) => (meaning ? [nameOf(meaning)] : [])));
  const ownWords: string[] = [];
  const columns = names.map((name, at) => {
    const meaning = mapping.columns[at];
    if (meaning === 'words') {
      ownWords.push(`description ${at}`);
      return `description ${at}`;
    }
    if (meaning) return nameOf(meaning);
    return taken.has(name) ? `${name} of the bank` : name;
  });
  const has = (meaning: ColumnMeaning) => (mapping.columns.includes(meaning) ? meaning : undefined);
  return {
    columns,
    meanings: {
      date: 'date',
      amount: has('amount') ?? { debit: 'debit', credit: 'credit' },
      description: 'description',
      reference: has('reference'),
      id: undefined,
      balance: has('balance'),
      further: [],
    },
    read: ({ where, cell }) => ({
      where,
      cell: (name) => {
        if (name === 'description') return ownWords.map(cell).filter(Boolean).join(' ');
        return name === 'date' ? dayInForm(cell('date'), mapping.days) : cell(name);
      },
    }),
  };
}
