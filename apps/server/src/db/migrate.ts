import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartProblem } from '#errors.ts';
import type { Pool } from './connect.ts';

const folder = fileURLToPath(new URL('./migrations/', import.meta.url));

export interface MigratePatience {
  /** Everybody else queues behind a migration that waits for a lock, so it waits for this long at most. */
  lockMs: number;
  tries: number;
  pauseMs: number;
}

const usual: MigratePatience = { lockMs: 5_000, tries: 12, pauseMs: 5_000 };

/**
 * Brings the schema up to date: every file of migrations/ once, in order, each in its own transaction. Several programs
 * starting together wait for each other. A migration that meets a long reader lets go and tries again for some minutes.
 * Throws when a merged migration was edited, and StartProblem where the database was made by an earlier version.
 */
export async function migrate(pool: Pool, patience = usual): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  await refuseEarlierSchema(pool, files);
  const applied: string[] = [];
  for (const name of files) {
    const text = await readFile(`${folder}${name}`, 'utf8');
    if (await applyPatiently(pool, name, text, patience)) applied.push(name);
  }
  return applied;
}

/** Throws where migrations were applied that are no longer among the files; those of a later version may be. */
async function refuseEarlierSchema(pool: Pool, files: string[]): Promise<void> {
  const [table] = await pool<{ isThere: boolean }[]>`select to_regclass('migrations') is not null as "isThere"`;
  if (!table?.isThere) return;
  const applied = await pool<{ name: string }[]>`select name from migrations order by name`;
  const gone = applied.find(({ name }) => !files.includes(name) && name < (files.at(-1) ?? ''));
  if (!gone) return;
  throw new StartProblem(
    `The database was made by an earlier version (${gone.name}), which this one cannot read: start with a new DATA_DIR or DATABASE_URL, or keep its data with the commit that docs/decisions/0083 names.`,
  );
}

async function applyPatiently(pool: Pool, name: string, text: string, patience: MigratePatience): Promise<boolean> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await apply(pool, name, text, patience);
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error;
      if (tried >= patience.tries)
        throw new Error(
          `Migration ${name} waited for a lock ${tried} times; end what reads for long and start again.`,
          {
            cause: error,
          },
        );
      await wait(patience.pauseMs);
    }
  }
}

function apply(pool: Pool, name: string, text: string, { lockMs }: MigratePatience): Promise<boolean> {
  const hash = createHash('sha256').update(text).digest('hex');
  return pool.begin(async (tx) => {
    await tx`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`;
    await tx`select pg_advisory_xact_lock(hashtext('sparechange.migrate'))`; // another program's migration may take long
    await tx`select set_config('lock_timeout', ${String(lockMs)}, true)`;
    await tx`create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())`;
    const [known] = await tx<{ hash: string }[]>`select hash from migrations where name = ${name}`;
    if (known && known.hash !== hash) throw new Error(`Migration ${name} was changed after it had been applied.`);
    if (known) return false;
    await tx.unsafe(text);
    await tx`insert into migrations (name, hash) values (${name}, ${hash})`;
    return true;
  });
}
