import type { Db } from '#db/connect.ts';
import { parseTenant, type Settings, type Tenant } from './load-tenants.ts';

/** Drafts are looked at by a person, now: they are kept for an hour of the database's clock. */
const isRecent = (db: Db) => db`kept_at > now() - interval '1 hour'`;

/** Keeps a person's edits of a brand, replacing earlier ones; returns the id that opens its preview. */
export async function keepDraft(db: Db, operatorId: string, { key, content }: Settings): Promise<string> {
  await db`delete from tenant_drafts where not (${isRecent(db)})`;
  const [kept] = await db<{ id: string }[]>`
    insert into tenant_drafts (operator_id, tenant_key, settings) values (${operatorId}, ${key}, ${db.json(content as object)})
    on conflict (operator_id, tenant_key) do update
      set id = excluded.id, settings = excluded.settings, kept_at = excluded.kept_at
    returning id`;
  if (!kept) throw new Error('A draft was not kept.');
  return kept.id;
}

/** Returns a draft that was kept within the hour. */
export async function findDraft(db: Db, id: string): Promise<Tenant | undefined> {
  const [kept] = await db<Settings[]>`
    select tenant_key as key, settings as content from tenant_drafts
    where id = ${id} and ${isRecent(db)}`;
  return kept && parseTenant(kept);
}
