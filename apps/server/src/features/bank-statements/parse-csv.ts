import { readCsv } from '#csv.ts';
import {
  centsOf,
  checkSums,
  dayOf,
  idOf,
  type StatementFile,
  type StatementLine,
  StatementProblem,
} from './statement-file.ts';

const required = ['date', 'amount', 'description'];
const known = [...required, 'reference', 'transaction_id'];

/** Returns an Australian day, which begins with the day of the month, in the order of ISO 8601; any other text as it is. */
const isoOrder = (written: string): string =>
  written.replace(
    /^(\d\d?)([/-])(\d\d?)\2(\d{4})$/,
    (_, day: string, _mark, month: string, year: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );

/**
 * Reads a statement as comma-separated values. The first line names the columns: `date` (YYYY-MM-DD, DD/MM/YYYY or
 * DD-MM-YYYY), `amount` (dollars, negative is money that left), `description`; `reference` and `transaction_id` where the bank
 * gives them. Others are ignored.
 */
export function parseCsvStatement(content: string): StatementFile {
  const [head, ...rows] = readCsv(content);
  const columns = head?.cells.map((name) => name.toLowerCase()) ?? [];
  const missing = required.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw new StatementProblem(`The first line must name the columns ${missing.join(', ')}.`);
  const repeated = known.find((name) => columns.indexOf(name) !== columns.lastIndexOf(name));
  if (repeated) throw new StatementProblem(`The first line names the column ${repeated} more than once.`);
  const lines = rows.map(({ cells, line }): StatementLine => {
    const cell = (name: string): string => cells[columns.indexOf(name)]?.trim() ?? '';
    const where = `line ${line}`;
    if (cells.slice(columns.length).some(Boolean))
      throw new StatementProblem(
        `${where} has ${cells.length} values for ${columns.length} columns; one with a comma, such as "1,234.50", stands in quotes.`,
      );
    const id = idOf(cell('transaction_id'), where);
    return {
      ...(id ? { id } : {}),
      bookedOn: dayOf(isoOrder(cell('date')), where, cell('date')),
      cents: centsOf(cell('amount'), where),
      text: [cell('description'), cell('reference')].filter(Boolean).join(' '),
    };
  });
  const file = { lines: lines.filter(({ cents }) => cents !== 0) };
  checkSums(file);
  return file;
}
