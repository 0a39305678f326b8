import { csv, textCell } from '@sparechange/domain';
import { strToU8, zipSync } from 'fflate';
import type { SupporterExport } from './export-supporter.ts';

const about = `Everything we hold about you.

everything.json  all of it, for programs
tables/*.csv     the same, a table each, for a spreadsheet

BSBs and account numbers are here only by their last four digits: they are kept encrypted.
Documents such as receipts are in everything.json as base64; you find them as PDFs on your history page.
`;

/** Packs everything held about a supporter into a ZIP archive: as JSON, and as a CSV for each table. */
export function packArchive(everything: SupporterExport, at: Date): Uint8Array {
  const tables = { ...everything.tables, identity: everything.identity };
  const sheets = Object.entries(tables).filter(([, rows]) => rows.length > 0);
  const files = {
    'README.txt': about,
    'everything.json': JSON.stringify(everything, undefined, 2),
    ...Object.fromEntries(sheets.map(([name, rows]) => [`tables/${name}.csv`, sheet(rows)])),
  };
  const bytes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]));
  return zipSync(bytes, { mtime: at });
}

/** Maximum text length of a spreadsheet cell; everything.json exceeds it. */
const longestCell = 32_000;

function sheet(rows: Record<string, unknown>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  return csv([columns.map(textCell), ...rows.map((row) => columns.map((column) => cell(row[column])))]);
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text =
    value instanceof Date ? value.toISOString() : typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return textCell(text.length > longestCell ? 'see everything.json' : text);
}
