import { clubFacts } from '@sparechange/contract/club-facts';
import type { Db } from '#db/connect.ts';

type Columns = Record<string, { column: string }>;
type Values = Record<string, string | number | null | undefined>;

/** Selects facts of a club by their names, such as `goal_dollars as "goalDollars"`. */
export const selectFacts = (db: Db, facts: Columns, alias = 'clubs') =>
  Object.entries(facts)
    .map(([fact, { column }]) => db`${db(`${alias}.${column}`)} as ${db(fact)}`)
    .reduce((so, part) => db`${so}, ${part}`);

/** Returns the columns of facts. */
export const columnsOf = (facts: Columns): string[] => Object.values(facts).map(({ column }) => column);

/** Returns the given facts by their columns; those that are undefined are left out. */
export const byColumn = (given: Values): Record<string, string | number | null> =>
  Object.fromEntries(
    Object.entries(clubFacts).flatMap(([fact, { column }]) => {
      const value = given[fact];
      return value === undefined ? [] : [[column, value]];
    }),
  );

/** Saves values of a club's columns; returns false if nothing changes. */
export async function saveColumns(
  db: Db,
  clubId: string,
  values: Record<string, string | number | null>,
): Promise<boolean> {
  const [first, ...others] = Object.entries(values);
  if (!first) return false;
  const toSet = ([column, value]: typeof first) => db`${db(column)} = ${value}`;
  const differs = ([column, value]: typeof first) => db`${db(column)} is distinct from ${value}`;
  const changed = await db`
    update clubs set ${others.reduce((so, each) => db`${so}, ${toSet(each)}`, toSet(first))}
    where id = ${clubId} and (${others.reduce((so, each) => db`${so} or ${differs(each)}`, differs(first))})`;
  return changed.count > 0;
}
