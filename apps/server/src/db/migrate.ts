import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartProblem } from '#errors.ts';
import type { Db, Pool } from './connect.ts';
import { type DividedMigration, divideMigration, type Homes } from './divide-migration.ts';
import { findBuckets, makeBuckets, recordBucketCount, recordBuckets } from './make-buckets.ts';
import { placeMigration } from './place-migration.ts';
import { awaitSessionLock } from './session-lock.ts';

/** The lock under which buckets are made and tables migrated, by one process at a time. The version before takes the same one. */
const migrating = 'sparechange.move buckets';

const folder = fileURLToPath(new URL('./migrations/', import.meta.url));

export interface MigratePatience {
  /** Longest wait for a lock: everybody else queues behind a migration that waits for one. */
  lockMs: number;
  tries: number;
  pauseMs: number;
}

/** Pause between checks whether another process ended its migration. */
const askAgainMs = 200;

const usual: MigratePatience = { lockMs: 5_000, tries: 12, pauseMs: 5_000 };

/**
 * Brings the schema up to date: every file of migrations/ once, in order, each in its own transaction or, where its first line
 * says so, outside one. Several processes starting together take turns, so that one alone decides how many buckets a new
 * database has. A migration that meets a long reader lets go and tries again for some minutes. Throws when a merged migration
 * was edited, and StartProblem where the database was made by an earlier version, or has other buckets.
 */
export async function migrate(pool: Pool, patience = usual, below = folder): Promise<string[]> {
  if (await isMigrated(pool, below)) return [];
  return awaitSessionLock(pool, migrating, (lost) => migrateBuckets(pool, patience, below, lost));
}

/** Returns whether migrating would change nothing; asks without a lock. Throws StartProblem where migrating would. */
export async function isMigrated(pool: Pool, below = folder): Promise<boolean> {
  const files = await readFiles(below);
  const applied = await readApplied(pool);
  refuseEarlierSchema(files, applied);
  return files.every(({ name, hash }) => applied.get(name) === hash) && (await findBuckets(pool)).areRecorded;
}

async function migrateBuckets(
  pool: Pool,
  patience: MigratePatience,
  below: string,
  lost: AbortSignal,
): Promise<string[]> {
  const migrations = await readMigrations(pool.scope.buckets, below);
  const known = await readApplied(pool);
  refuseEarlierSchema(migrations, known);
  const { isNew } = await findBuckets(pool);
  if (isNew) {
    await createMigrationsTable(pool.inControl());
    await recordBucketCount(pool);
  }
  await makeBuckets(pool);
  const applied: string[] = [];
  for (const migration of migrations) {
    lost.throwIfAborted(); // another process may make the buckets
    if (known.get(migration.name) === migration.hash) continue;
    if (await applyPatiently(pool, migration, patience)) applied.push(migration.name);
  }
  await recordBuckets(pool);
  return applied;
}

interface MigrationFile {
  name: string;
  text: string;
  hash: string;
}

/** Reads the files in order. */
async function readFiles(below: string): Promise<MigrationFile[]> {
  const names = (await readdir(below)).filter((each) => each.endsWith('.sql')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(below, name), 'utf8')));
  return texts.map((text, at) => ({ name: names[at] ?? '', text, hash: hash('sha256', text) }));
}

/** Reads the files in order; with several buckets, divides each by what earlier ones made. */
export async function readMigrations(buckets: number, below = folder): Promise<Migration[]> {
  const homes: Homes = new Map();
  return (await readFiles(below)).map(({ name, text, hash }) => {
    const divided = buckets > 1 ? divideMigration(text, homes) : { control: [text], bucket: [] };
    return { name, hash, divided, isOutside: text.startsWith('-- outside a transaction:') };
  });
}

type Applied = ReadonlyMap<string, string>;

/** Reads the migrations that a database has had, and their hashes, in order; none before the first. */
async function readApplied(db: Db): Promise<Applied> {
  const [table] = await db<{ isThere: boolean }[]>`select to_regclass('migrations') is not null as "isThere"`;
  if (!table?.isThere) return new Map();
  const applied = await db<{ name: string; hash: string }[]>`select name, hash from migrations order by name`;
  return new Map(applied.map(({ name, hash }) => [name, hash]));
}

/** Throws where migrations were applied that are no longer among the files; those of a later version may be. */
function refuseEarlierSchema(files: readonly { name: string }[], applied: Applied): void {
  const names = files.map(({ name }) => name);
  const gone = [...applied.keys()].find((name) => !names.includes(name) && name < (names.at(-1) ?? ''));
  if (!gone) return;
  throw new StartProblem(
    `The database was made by an earlier version (${gone}), which this one cannot read: start with a new DATA_DIR or DATABASE_URL, or keep its data with the commit that the decisions on the database's schema name.`,
  );
}

interface Migration {
  name: string;
  hash: string;
  divided: DividedMigration;
  isOutside: boolean;
}

async function applyPatiently(pool: Pool, migration: Migration, patience: MigratePatience): Promise<boolean> {
  const apply = migration.isOutside ? applyOutside : applyInside;
  for (let tried = 1; ; ) {
    try {
      const became = await apply(pool, migration, patience.lockMs);
      if (became !== 'busy') return became === 'applied';
      await wait(askAgainMs);
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error;
      if (tried >= patience.tries)
        throw new Error(
          `Migration ${migration.name} waited for a lock ${tried} times; end what reads for long and start again.`,
          { cause: error },
        );
      tried += 1;
      await wait(patience.pauseMs);
    }
  }
}

/** `busy` while another process migrates, which may take long: nobody waits for it inside a statement. */
type Became = 'applied' | 'known' | 'busy';

function applyInside(pool: Pool, migration: Migration, lockMs: number): Promise<Became> {
  return pool.begin(async (tx) => {
    await tx`select set_config('statement_timeout', '0', true), set_config('lock_timeout', ${String(lockMs)}, true)`;
    const [lock] = await tx<{ isOurs: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtext('sparechange.migrate')) as "isOurs"`;
    if (!lock?.isOurs) return 'busy';
    if (await isKnown(tx, migration)) return 'known';
    for (const { db, text } of placeMigration(tx, migration.divided)) await db.unsafe(text);
    await record(tx, migration);
    return 'applied';
  });
}

/**
 * Runs the statements of a file one by one, as `create index concurrently` wants it. It waits for each transaction that
 * began before, without blocking writes, and so has no limit. If interrupted, the file is run again.
 */
async function applyOutside(pool: Pool, migration: Migration): Promise<Became> {
  const session = await pool.reserve();
  try {
    await session`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)`;
    const [lock] = await session<{ isOurs: boolean }[]>`
      select pg_try_advisory_lock(hashtext('sparechange.migrate')) as "isOurs"`;
    if (!lock?.isOurs) return 'busy';
    if (await isKnown(session, migration)) return 'known';
    for (const { db, text } of placeMigration(session, migration.divided))
      for (const statement of text.split(/;\s*$/m)) await db.unsafe(statement);
    await record(session, migration);
    return 'applied';
  } finally {
    await session.unsafe('select pg_advisory_unlock_all(); reset statement_timeout; reset lock_timeout');
    session.release();
  }
}

const createMigrationsTable = (db: Db) =>
  db`create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())`;

/** Throws when a migration differs from the one applied. */
async function isKnown(db: Db, { name, hash }: Migration): Promise<boolean> {
  await createMigrationsTable(db);
  const [known] = await db<{ hash: string }[]>`select hash from migrations where name = ${name}`;
  if (known && known.hash !== hash) throw new Error(`Migration ${name} was changed after it had been applied.`);
  return known !== undefined;
}

const record = (db: Db, { name, hash }: Migration) => db`insert into migrations (name, hash) values (${name}, ${hash})`;
