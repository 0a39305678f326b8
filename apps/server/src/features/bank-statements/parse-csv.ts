import { centsOf, dayOf, type StatementFile, type StatementLine, StatementProblem } from './statement-file.ts';

const required = ['date', 'amount', 'description'];

/**
 * Reads a statement as comma-separated values. Columns by name in the first line: `date` (YYYY-MM-DD), `amount`
 * (dollars, negative is money that left), `description`; `reference`, `transaction_id` and `balance` where the bank gives them.
 */
export function parseCsvStatement(content: string): StatementFile {
  const [head = [], ...rows] = rowsOf(content);
  const columns = head.map((name) => name.trim().toLowerCase());
  const missing = required.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw new StatementProblem(`The first line must name the columns ${missing.join(', ')}.`);
  const lines = rows
    .filter((row) => row.some((cell) => cell.trim() !== ''))
    .map((row, at): StatementLine => {
      const cell = (name: string): string => row[columns.indexOf(name)]?.trim() ?? '';
      const where = `line ${at + 2}`;
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

/** Splits cells; quotes allow commas, line ends and doubled quotes. */
function rowsOf(content: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  const endCell = () => {
    rows.at(-1)?.push(cell);
    cell = '';
  };
  for (let at = 0; at < content.length; at += 1) {
    const letter = content[at];
    if (isQuoted && letter === '"' && content[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (letter === '"') isQuoted = !isQuoted;
    else if (isQuoted) cell += letter;
    else if (letter === ',') endCell();
    else if (letter === '\n') {
      endCell();
      rows.push([]);
    } else if (letter !== '\r' && letter !== '\uFEFF') cell += letter;
  }
  if (isQuoted) throw new StatementProblem('A quoted cell has no end.');
  endCell();
  return rows;
}
