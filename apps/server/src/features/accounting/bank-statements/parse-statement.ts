import { decodeText } from '#decode-text.ts';
import { otherFormatOf, otherTextOf } from './other-formats.ts';
import { parseBai2 } from './parse-bai2.ts';
import { parseCamt053 } from './parse-camt053.ts';
import { type GivenMappings, parseCsvStatement } from './parse-csv.ts';
import { parseMt940 } from './parse-mt940.ts';
import { parseOfx } from './parse-ofx.ts';
import { type StatementFile, type StatementFormat, StatementProblem } from './statement-file.ts';

/** A format that is read, recognised by the beginning of its files. */
const formats: readonly [RegExp, StatementFormat, (content: string, place?: number) => StatementFile][] = [
  [/<\?OFX\b|^OFXHEADER\s*:|<OFX>/i, 'OFX', parseOfx],
  [/^\{1:[A-Z]\d\d|^\{4:|^:(?:\d\d[A-Z]?|940):/im, 'MT940', parseMt940],
  [/^01,[^,\n]{0,40},[^,\n]{0,40},\d{6},/, 'BAI2', parseBai2],
  [/^</, 'camt.053', parseCamt053],
];

const atStart = 1_000;

export interface ParsedStatement extends StatementFile {
  format: StatementFormat;
}

/** A person's choices about a file. */
export interface Choices {
  mappings?: GivenMappings | undefined;
  /** Place, from 1, of our account among those of a file that has several. */
  accountInFile?: number | undefined;
}

/** Reads a statement of the trust account in any format of banks; for any other file, names its format and the remedy. */
export function parseStatement(file: Uint8Array | string, { mappings, accountInFile }: Choices = {}): ParsedStatement {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  refuse(otherFormatOf(bytes));
  const content = typeof file === 'string' ? file : decodeText(file);
  if (content.includes('\0')) throw new StatementProblem('The file is not text.');
  if (content.trim() === '') throw new StatementProblem('The file is empty.');
  const written = content.replace(/^[\uFEFF\p{Cc}\s]+/u, ''); // some banks begin with a control character
  const start = written.slice(0, atStart);
  const [, format = 'CSV', parse] = formats.find(([beginning]) => beginning.test(start)) ?? [];
  if (!parse || format === 'camt.053') refuse(otherTextOf(start));
  return { ...(parse ? parse(written, accountInFile) : parseCsvStatement(content, mappings)), format };
}

function refuse(format: string | undefined): void {
  if (format) throw new StatementProblem(format);
}
