import { readCsv } from '#csv.ts';
import { centsOf, dayOf, type StatementFile, type StatementLine, StatementProblem } from './statement-file.ts';

const required = ['date', 'amount', 'description'];

/**
 * Reads a statement as comma-separated values. The first line names the columns: `date` (YYYY-MM-DD), `amount` (dollars,
 * negative is money that left), `description`; `reference` and `transaction_id` where the bank gives them. Others are ignored.
 */
export function parseCsvStatement(content: string): StatementFile {
  const [head, ...rows] = readCsv(content);
  const columns = head?.cells.map((name) => name.toLowerCase()) ?? [];
  const missing = required.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw new StatementProblem(`The first line must name the columns ${missing.join(', ')}.`);
  const lines = rows.map(({ cells, line }): StatementLine => {
    const cell = (name: string): string => cells[columns.indexOf(name)]?.trim() ?? '';
    const where = `line ${line}`;
    const id = cell('transaction_id');
    return {
      ...(id ? { id } : {}),
      bookedOn: dayOf(cell('date'), where),
      cents: centsOf(cell('amount'), where),
      text: [cell('description'), cell('reference')].filter(Boolean).join(' '),
    };
  });
  return { lines: lines.filter(({ cents }) => cents !== 0) };
}
