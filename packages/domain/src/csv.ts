import { printableLine } from './printable-text.ts';

/**
 * Matches a cell that a spreadsheet would take for a formula, behind blanks, in full width or behind invisible
 * characters.
 */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;

/** Computes nothing in a spreadsheet; quoted away, it would be left out of sums. */
const plainNumber = /^-?\d+(\.\d+)?$/;

/**
 * Text as a cell of a CSV (RFC 4180): always quoted, on one line, and never a formula when a spreadsheet opens it:
 * names are typed by strangers.
 */
export function textCell(text: string): string {
  const line = printableLine(text);
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${line.trimStart()}` : line;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Joins finished cells into CSV, with the RFC's line ends. */
export const csv = (rows: string[][]): string => rows.map((row) => `${row.join(',')}\r\n`).join('');
