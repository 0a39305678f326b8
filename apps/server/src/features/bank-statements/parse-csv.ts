import { readCsv } from '#csv.ts';
import {
  centsOf,
  checkAmounts,
  dayOf,
  idOf,
  type StatementFile,
  type StatementLine,
  StatementProblem,
} from './statement-file.ts';

const required = ['date', 'amount', 'description'];
const known = [...required, 'reference', 'transaction_id'];

/**
 * Reads a statement as comma-separated values. The first line names the columns: `date` (YYYY-MM-DD), `amount` (dollars,
 * negative is money that left), `description`; `reference` and `transaction_id` where the bank gives them. Others are ignored.
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
      bookedOn: dayOf(cell('date'), where),
      cents: centsOf(cell('amount'), where),
      text: [cell('description'), cell('reference')].filter(Boolean).join(' '),
    };
  });
  const file = { lines: lines.filter(({ cents }) => cents !== 0) };
  checkAmounts(file);
  return file;
}
