import { decodeText } from '#decode-text.ts';
import { otherFormatOf, otherTextOf } from './other-formats.ts';
import { parseCamt053 } from './parse-camt053.ts';
import { parseCsvStatement } from './parse-csv.ts';
import { type StatementFile, StatementProblem } from './statement-file.ts';

/** Reads a statement of the trust account, as CSV or camt.053; for any other file, names its format and the remedy. */
export function parseStatement(file: Uint8Array | string): StatementFile {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  refuse(otherFormatOf(bytes));
  const content = typeof file === 'string' ? file : decodeText(file);
  if (content.includes('\0')) throw new StatementProblem('The file is not text.');
  if (content.trim() === '') throw new StatementProblem('The file is empty.');
  refuse(otherTextOf(content));
  return content.trimStart().startsWith('<') ? parseCamt053(content) : parseCsvStatement(content);
}

function refuse(format: string | undefined): void {
  if (format) throw new StatementProblem(format);
}
