import { BankFileProblem } from '#ports/bank-files.ts';

/** Where a field stands: first and last column counted from 1, as in the banks' tables, and how it is filled up. */
export type Field = readonly [from: number, to: number, fill?: 'spaces after' | 'spaces before' | 'zeros before'];

export type Layout = Readonly<Record<string, Field>>;

export type Values<Of extends Layout> = Record<keyof Of & string, string>;

const recordLength = 120;

/** Characters that every bank takes, more than `bankText` writes. */
const allowed = /^[ -~]*$/;

/** A record of 120 characters. Throws for a value that does not fit its field: nothing is ever cut. */
export function packRecord<Of extends Layout>(layout: Of, values: Values<Of>): string {
  const columns = Array.from({ length: recordLength }, () => ' ');
  for (const [name, [from, to, fill = 'spaces after']] of Object.entries(layout)) {
    const value = values[name] ?? '';
    const length = to - from + 1;
    if (value.length > length) {
      throw new BankFileProblem(`The ${name} takes ${length} characters in a bank file; it has ${value.length}.`);
    }
    if (!allowed.test(value)) throw new BankFileProblem(`The ${name} has a letter that bank files do not know.`);
    const filled =
      fill === 'spaces after' ? value.padEnd(length) : value.padStart(length, fill === 'zeros before' ? '0' : ' ');
    columns.splice(from - 1, length, ...filled);
  }
  return columns.join('');
}

/** Returns a record's fields without padding; leading zeros stay. */
export function unpackRecord<Of extends Layout>(layout: Of, line: string): Values<Of> {
  const fields = Object.entries(layout).map(([name, [from, to, fill]]) => {
    const text = line.slice(from - 1, to);
    return [name, fill === 'spaces before' ? text.trimStart() : text.trimEnd()];
  });
  return Object.fromEntries(fields) as Values<Of>;
}

/** The lines of a bank's file, however they end; one that was trimmed is filled up again. */
export function linesOf(content: string): string[] {
  if (content.includes('\0')) throw new BankFileProblem('The file is not text.');
  const lines = content.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  while (lines.at(-1)?.trim() === '') lines.pop();
  return lines.map((line, index) => {
    if (line.length > recordLength) {
      throw new BankFileProblem(`Line ${index + 1} has ${line.length} characters; a record has ${recordLength}.`);
    }
    return line.padEnd(recordLength);
  });
}
