import type { Db } from '#db/connect.ts';

/** Returns the names of people of the console by id, removed ones included. */
export async function namesOfPeople(db: Db, ids: string[]): Promise<Map<string, string>> {
  const rows = await db<{ id: string; name: string }[]>`
    select id, name from operators where id::text = any(${ids}::text[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
