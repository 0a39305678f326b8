import { parse } from 'csv-parse/sync';
import { InvalidInput } from './errors.ts';

export interface CsvRow {
  /** The line it ends on, from 1. */
  line: number;
  cells: string[];
}

const delimiters = [',', ';', '\t', '|'];

/** Excel's first line `sep=;`, which says what separates cells. */
const separatorLine = /^\uFEFF?"?sep=(.)"?[ \t,;]*(?=\r|\n|$)/i;

/** Returns the mark that separates the cells of the first line that has one: commas, where a line has several marks. */
export function delimiterOf(text: string): string {
  const [, named] = separatorLine.exec(text) ?? [];
  if (named) return named;
  for (const line of text.slice(0, 10_000).split(/\r\n|\n|\r/)) {
    const bare = line.replace(/"[^"]*"/g, '');
    const found = delimiters.find((delimiter) => bare.includes(delimiter));
    if (found) return found;
  }
  return ',';
}

/**
 * Returns a CSV's non-empty rows; cells are separated by commas, semicolons, tabs or bars. Throws InvalidInput if a
 * quote has no end.
 */
export function readCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  try {
    parse(text.replace(separatorLine, ''), {
      bom: true,
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true, // in the middle of a cell they are text: 5" pipe
      skip_records_with_empty_values: true,
      trim: true,
      on_record: (cells, { lines: line }) => void rows.push({ line, cells }),
    });
  } catch (error) {
    throw new InvalidInput(
      `A quoted cell is not closed, or has text after its closing quote: ${(error as Error).message}.`,
    );
  }
  return rows;
}
