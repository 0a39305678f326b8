import { createHash } from 'node:crypto';
import type { StatementLine } from './statement-file.ts';

export interface IdentifiedLine extends StatementLine {
  id: string;
  /** Our own reference, where the line names one. */
  reference: string | null;
}

/**
 * Gives each line an identity that it has in every file of its bank: the bank's own, else what the line says and its
 * place among equal lines of its day. Files must hold whole days for that.
 */
export function identifyLines(lines: readonly StatementLine[]): IdentifiedLine[] {
  const times = new Map<string, number>();
  return lines.map((line) => {
    const said = [line.bookedOn, line.cents, line.text].join('|');
    const base = line.id ?? createHash('sha256').update(said).digest('hex').slice(0, 32);
    const time = (times.get(base) ?? 0) + 1;
    times.set(base, time);
    return {
      ...line,
      id: time === 1 ? base : `${base}#${time}`,
      text: withoutAccountNumbers(line.text),
      reference: referenceIn(line.text),
    };
  });
}

const referencePattern = /^[A-Z]{2}[0-9A-F]{16}$/;

/** Finds our payment reference: two letters and sixteen hexadecimal digits. */
function referenceIn(text: string): string | null {
  const words = text.toUpperCase().split(/[^A-Z0-9]+/);
  return words.find((word) => referencePattern.test(word)) ?? null;
}

/** Masks account numbers of others, keeping the last four digits. */
function withoutAccountNumbers(text: string): string {
  return text
    .split(/(\s+)/)
    .map((word) => {
      const digits = word.replace(/\D/g, '').length;
      const isAccount = digits >= 6 && !/[A-Za-z]/.test(word) && !/^\d{4}-\d{2}-\d{2}$/.test(word);
      return isAccount ? 'X'.repeat(Math.max(word.length - 4, 0)) + word.slice(-4) : word;
    })
    .join('');
}
