import { type Cents, type IsoDate, isoDate, parseMonth, parseTypedAmount } from '@sparechange/domain';
import { CommandProblem } from './operate.ts';

/** Reads a day given on the command line. */
export function dayOption(text: string) {
  try {
    return isoDate(text);
  } catch {
    throw new CommandProblem(`${text} is not a day written YYYY-MM-DD.`);
  }
}

/** Reads a month given on the command line. */
export function monthOption(text: string) {
  const month = parseMonth(text);
  if (!month) throw new CommandProblem(`${text} is not a month written YYYY-MM.`);
  return month;
}

/** Reads a financial year, 2026-27 or its first year 2026, as its first and last day. */
export function financialYearOption(text: string): { from: IsoDate; to: IsoDate } {
  const [, first = '', second] = /^(20\d\d)(?:-(\d\d))?$/.exec(text.trim()) ?? [];
  const next = Number(first) + 1;
  if (!first || (second !== undefined && Number(second) !== next % 100))
    throw new CommandProblem(`${text} is not a financial year written 2026-27, or 2026 by its first year.`);
  return { from: isoDate(`${first}-07-01`), to: isoDate(`${next}-06-30`) };
}

/** Reads dollars, such as 71.72 (docs/rules.md#amounts-and-days). Throws for anything else. */
export function dollarsOption(text: unknown, name: string): Cents {
  const amount = parseTypedAmount(String(text));
  if (amount === undefined) throw new CommandProblem(`${name} takes dollars such as 71.72.`);
  return amount;
}

/** Reads an option that is a whole number. */
export function wholeOption(name: string, value: unknown): number {
  if (!/^\d{1,5}$/.test(String(value))) throw new CommandProblem(`${name} takes a whole number.`);
  return Number(value);
}
