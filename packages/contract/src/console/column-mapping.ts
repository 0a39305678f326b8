import { z } from 'zod';

/** Meanings that a person gives to the columns of a CSV file; a column without one is left out. */
export const ColumnMeaning = z.enum(['day', 'amount', 'debit', 'credit', 'balance', 'words', 'reference']);
export type ColumnMeaning = z.infer<typeof ColumnMeaning>;

/** Order in which days are written; as written where they tell it themselves, such as 2026-11-24 or 24 Nov 2026. */
export const DayForm = z.enum(['as_written', 'day_first', 'month_first', 'year_first']);
export type DayForm = z.infer<typeof DayForm>;

const once: readonly ColumnMeaning[] = ['day', 'amount', 'debit', 'credit', 'balance', 'reference'];

/** Says what a mapping lacks; undefined if it is whole. */
export function problemOfMapping(columns: readonly (ColumnMeaning | null)[]): string | undefined {
  const count = (meaning: ColumnMeaning) => columns.filter((each) => each === meaning).length;
  const twice = once.find((meaning) => count(meaning) > 1);
  if (twice) return `Two columns cannot both be the ${twice}.`;
  if (count('day') === 0) return 'Please choose the column of the day.';
  const isSided = count('debit') > 0 || count('credit') > 0;
  if (count('amount') > 0 && isSided) return 'Please choose either Amount, or Debit and Credit.';
  if (count('amount') === 0 && count('debit') + count('credit') < 2)
    return isSided ? 'Please choose both Debit and Credit.' : 'Please choose the column of the amount.';
  return count('words') === 0 ? 'Please choose a column of the description.' : undefined;
}

export const ColumnMapping = z
  .object({ columns: z.array(ColumnMeaning.nullable()).min(2).max(60), days: DayForm })
  .superRefine(({ columns }, context) => {
    const message = problemOfMapping(columns);
    if (message) context.addIssue({ code: 'custom', message });
  });
export type ColumnMapping = z.infer<typeof ColumnMapping>;

/** The beginning of a CSV file whose columns nobody knows. */
export const UnknownColumns = z.object({
  columns: z.array(
    z.object({
      name: z.string().describe('empty in a file whose first line is a movement'),
      guess: ColumnMeaning.nullable(),
      dayForms: z.array(DayForm).describe('forms in which every cell is a day'),
    }),
  ),
  rows: z.array(z.array(z.string())),
});
export type UnknownColumns = z.infer<typeof UnknownColumns>;
