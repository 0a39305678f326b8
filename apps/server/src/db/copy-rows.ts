import type { Statement } from './statement.ts';
import type { Db } from './tag.ts';

const pageSize = 5_000;

/**
 * Copies a statement's rows into a table of another session with the same columns in the same order. One page at a time
 * is in memory, for any number of rows.
 */
export async function copyRows(from: Db, rows: Statement<readonly unknown[]>, to: Db, table: string): Promise<void> {
  const selected = from<{ row: string }[]>`select each::text as row from (${rows}) as each`;
  for await (const page of selected.cursor(pageSize))
    await to`insert into ${to(table)} select * from unnest(${page.map(({ row }) => row)}::text[]::${to(table)}[])`;
}
