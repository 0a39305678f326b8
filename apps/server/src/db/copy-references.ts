import type { Db, Pool } from './connect.ts';
import { inTurn } from './in-each-bucket.ts';
import { awaitSessionLock } from './session-lock.ts';

/**
 * Gives every further server what control has of clubs and of the texts of mandates (docs/decisions/0121-copies-for-buckets.md).
 * Again, it changes nothing. A server that fails keeps no other from it, and is thrown at the end.
 */
export async function copyReferences(db: Pool): Promise<void> {
  const { control, all } = db.servers;
  const others = all.filter((server) => server !== control);
  if (others.length === 0) return;
  await awaitSessionLock(db, 'sparechange.copy references', () =>
    inTurn(others, async (server) => {
      await copyClubs(db.inControl(), db.on(server));
      await copyTexts(db.inControl(), db.on(server));
    }),
  );
}

async function digestOf(db: Db): Promise<string | undefined> {
  const [clubs] = await db<{ digest: string }[]>`
    select md5(string_agg(club::text, '' order by id)) as digest from clubs club`;
  return clubs?.digest;
}

async function copyClubs(control: Db, other: Pool): Promise<void> {
  if ((await digestOf(control)) === (await digestOf(other))) return;
  const rows = await control<{ club: Record<string, unknown> }[]>`select to_jsonb(club) as club from clubs club`;
  const clubs = rows.map(({ club }) => club);
  const columns = Object.keys(clubs[0] ?? {}).map((column) => `"${column}" = excluded."${column}"`);
  await other.begin(async (tx) => {
    await tx`update clubs set slug = id::text`; // which another club may have now
    await tx`
      insert into clubs select * from jsonb_populate_recordset(null::clubs, ${tx.json(clubs)})
      on conflict (id) do update set ${tx.unsafe(columns.join(', '))}`;
  });
}

async function copyTexts(control: Db, other: Db): Promise<void> {
  const known = await other<{ hash: string }[]>`select hash from direct_debit_texts`;
  const texts = await control`
    select to_jsonb(text) as text from direct_debit_texts text where hash <> all(${known.map(({ hash }) => hash)})`;
  await other`
    insert into direct_debit_texts
    select * from jsonb_populate_recordset(null::direct_debit_texts, ${other.json(texts.map(({ text }) => text))})
    on conflict do nothing`;
}
