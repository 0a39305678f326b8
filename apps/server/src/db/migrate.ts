import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Pool } from './connect.ts';

const folder = fileURLToPath(new URL('./migrations/', import.meta.url));

/**
 * Brings the schema up to date: every file of migrations/ once, in order, each in its own transaction.
 * Several servers starting together wait for each other. Throws when a merged migration was edited.
 */
export async function migrate(pool: Pool): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const applied: string[] = [];
  for (const name of files) {
    const text = await readFile(`${folder}${name}`, 'utf8');
    const hash = createHash('sha256').update(text).digest('hex');
    const fresh = await pool.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('sparechange.migrate'))`;
      await tx`create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())`;
      const [known] = await tx<{ hash: string }[]>`select hash from migrations where name = ${name}`;
      if (known && known.hash !== hash) throw new Error(`Migration ${name} was changed after it had been applied.`);
      if (known) return false;
      await tx.unsafe(text);
      await tx`insert into migrations (name, hash) values (${name}, ${hash})`;
      return true;
    });
    if (fresh) applied.push(name);
  }
  return applied;
}
