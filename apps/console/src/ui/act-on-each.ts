import { sentenceOf } from '#api/call-problem.ts';

/** Rows that one act takes at most: each is a call of its own, with its own entry in the audit log. */
export const maxRowsOfAct = 50;

export interface ActedOnEach<Row> {
  done: Row[];
  leftOut: { row: Row; because: string }[];
}

/** Acts on one row after the other, past those that are refused; tells how many were tried. */
export async function actOnEach<Row>(
  rows: readonly Row[],
  act: (row: Row) => Promise<unknown>,
  onTried: (count: number) => void = () => {},
): Promise<ActedOnEach<Row>> {
  const acted: ActedOnEach<Row> = { done: [], leftOut: [] };
  for (const [at, row] of rows.slice(0, maxRowsOfAct).entries()) {
    try {
      await act(row);
      acted.done.push(row);
    } catch (error) {
      acted.leftOut.push({ row, because: sentenceOf(error) ?? 'It was refused.' });
    }
    onTried(at + 1);
  }
  for (const row of rows.slice(maxRowsOfAct)) acted.leftOut.push({ row, because: `Only ${maxRowsOfAct} at a time.` });
  return acted;
}
