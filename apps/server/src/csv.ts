import { parse } from 'csv-parse/sync';
import { InvalidInput } from './errors.ts';

/** Returns a CSV's rows but the empty ones, each with the line it ends on; throws InvalidInput if a quote has no end. */
export function readCsv(text: string): { line: number; cells: string[] }[] {
  const rows: { line: number; cells: string[] }[] = [];
  try {
    parse(text, {
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true, // in the middle of a cell they are text: 5" pipe
      skip_records_with_empty_values: true,
      trim: true,
      on_record: (cells, { lines: line }) => void rows.push({ line, cells }),
    });
  } catch (error) {
    throw new InvalidInput(`A quoted cell has no end, or goes on behind it: ${(error as Error).message}.`);
  }
  return rows;
}
