import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartProblem } from '#errors.ts';
import type { Db, Pool } from './connect.ts';
import { ifReachable } from './database-answers.ts';
import { type DividedMigration, divideMigration, type Homes } from './divide-migration.ts';
import { finishMoves } from './hand-over.ts';
import { findHolders, makeBuckets, noteFirstStart, recordHolders, schemasHeld } from './place-buckets.ts';
import { type Place, placeMigration } from './place-migration.ts';
import type { DatabaseServer } from './servers.ts';
import { awaitSessionLock, withSessionLock } from './session-lock.ts';

/** Lock of whoever moves a bucket or migrates servers: one process at a time. */
export const bucketMoves = 'sparechange.move buckets';

const folder = fileURLToPath(new URL('./migrations/', import.meta.url));

export interface MigratePatience {
  /** Everybody else queues behind a migration that waits for a lock, so it waits for this long at most. */
  lockMs: number;
  tries: number;
  pauseMs: number;
}

/** A pause between asking whether another process has ended its migration. */
const askAgainMs = 200;

const usual: MigratePatience = { lockMs: 5_000, tries: 12, pauseMs: 5_000 };

/**
 * Brings the schema up to date: every file of migrations/ once on each server, in order, each in its own transaction or, where
 * its first line says so, outside one. Several processes starting together take turns, so that one alone decides how many
 * buckets a new database has. A migration that meets a long reader lets go and tries again for some minutes. Buckets of a
 * further server that does not answer stay unplaced, and it is migrated with the next call; a new database wants every server,
 * and control last. Throws when a merged migration was edited, and StartProblem where the database was made by an earlier
 * version.
 */
export async function migrate(pool: Pool, patience = usual, below = folder): Promise<string[]> {
  const bringUp = async (lost: AbortSignal) => {
    await finishMoves(pool);
    return migrateServers(pool, patience, below, lost);
  };
  const applied = await withSessionLock(pool, bucketMoves, bringUp);
  if (applied) return applied;
  if (await placeIfCurrent(pool, below)) return []; // while a bucket moves, or others start
  return awaitSessionLock(pool, bucketMoves, bringUp);
}

/** Places buckets on the servers that answer where nothing is to be migrated; false where something is. */
async function placeIfCurrent(pool: Pool, below: string): Promise<boolean> {
  const [control] = pool.servers.all;
  const migrations = await readMigrations(pool.scope.buckets, below);
  const isCurrent = async (server: DatabaseServer) => {
    const applied = new Set(await listApplied(pool.on(server)));
    return migrations.every(({ name }) => applied.has(name));
  };
  if (!(await isCurrent(control))) return false;
  const { holders, areRecorded } = await findHolders(pool);
  if (!areRecorded) return false;
  const ready = new Set<string>();
  for (const server of pool.servers.all) {
    let mayServe = true;
    const answers = await ifReachable(async () => {
      mayServe = await isCurrent(server);
    });
    if (!mayServe) return false;
    if (answers) ready.add(server.name);
  }
  pool.servers.placeAll(holders, ready);
  return true;
}

async function migrateServers(
  pool: Pool,
  patience: MigratePatience,
  below: string,
  lost: AbortSignal,
): Promise<string[]> {
  const migrations = await readMigrations(pool.scope.buckets, below);
  await refuseEarlierSchema(pool, migrations);
  const { holders, isNew } = await findHolders(pool);
  const applied = new Set<string>();
  const bringUp = async (server: DatabaseServer) => {
    const schemas = schemasHeld(pool, server, holders);
    if (pool.scope.buckets > 1) await makeBuckets(pool, server, schemas);
    const place = { name: server.name, schemas };
    for (const migration of migrations) {
      lost.throwIfAborted(); // another process may make the buckets
      if (await applyPatiently(pool.on(server), place, migration, patience)) applied.add(migration.name);
    }
  };
  const [control, ...others] = pool.servers.all;
  const ready = new Set([control.name]);
  if (isNew) {
    await createMigrationsTable(pool.inControl());
    await noteFirstStart(pool);
  } else await bringUp(control);
  for (const server of others) {
    const isUp = await ifReachable(() => bringUp(server));
    lost.throwIfAborted();
    if (isUp) ready.add(server.name);
    else if (isNew)
      throw new StartProblem(
        `The first start makes buckets on every server of BUCKET_SERVERS, and ${server.name} does not answer: start again once it does.`,
      );
  }
  if (isNew) await bringUp(control);
  if (pool.scope.buckets > 1) await recordHolders(pool, holders);
  pool.servers.placeAll(holders, ready);
  return [...applied];
}

/** Reads the files in order; with several buckets, divides each by what earlier ones made. */
export async function readMigrations(buckets: number, below = folder): Promise<Migration[]> {
  const homes: Homes = new Map();
  const migrations: Migration[] = [];
  for (const name of (await readdir(below)).filter((each) => each.endsWith('.sql')).sort()) {
    const text = await readFile(join(below, name), 'utf8');
    const hash = createHash('sha256').update(text).digest('hex');
    const divided =
      buckets > 1 ? divideMigration(text, homes) : { control: [text], bucket: [], server: [], bucketOnServer: [] };
    migrations.push({ name, hash, divided, isOutside: text.startsWith('-- outside a transaction:') });
  }
  return migrations;
}

/** Lists the migrations that a server has had, in order; none before the first. */
async function listApplied(server: Pool): Promise<string[]> {
  const [table] = await server<{ isThere: boolean }[]>`select to_regclass('migrations') is not null as "isThere"`;
  if (!table?.isThere) return [];
  const applied = await server<{ name: string }[]>`select name from migrations order by name`;
  return applied.map(({ name }) => name);
}

/** Throws where migrations were applied that are no longer among the files; those of a later version may be. */
async function refuseEarlierSchema(pool: Pool, migrations: Migration[]): Promise<void> {
  const files = migrations.map(({ name }) => name);
  const applied = await listApplied(pool);
  const gone = applied.find((name) => !files.includes(name) && name < (files.at(-1) ?? ''));
  if (!gone) return;
  throw new StartProblem(
    `The database was made by an earlier version (${gone}), which this one cannot read: start with a new DATA_DIR or DATABASE_URL, or keep its data with the commit that docs/decisions/0083 names.`,
  );
}

interface Migration {
  name: string;
  hash: string;
  divided: DividedMigration;
  isOutside: boolean;
}

async function applyPatiently(
  pool: Pool,
  place: Place,
  migration: Migration,
  patience: MigratePatience,
): Promise<boolean> {
  const apply = migration.isOutside ? applyOutside : applyInside;
  for (let tried = 1; ; ) {
    try {
      const became = await apply(pool, place, migration, patience.lockMs);
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

/** Says `busy` while another process migrates, which may take long: nobody waits for it inside a statement. */
type Became = 'applied' | 'known' | 'busy';

function applyInside(pool: Pool, place: Place, migration: Migration, lockMs: number): Promise<Became> {
  return pool.begin(async (tx) => {
    await tx`select set_config('statement_timeout', '0', true), set_config('lock_timeout', ${String(lockMs)}, true)`;
    const [lock] = await tx<{ isOurs: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtext('sparechange.migrate')) as "isOurs"`;
    if (!lock?.isOurs) return 'busy';
    if (await isKnown(tx, migration)) return 'known';
    for (const { db, text } of placeMigration(tx, migration.divided, place)) await db.unsafe(text);
    await record(tx, migration);
    return 'applied';
  });
}

/**
 * Runs the statements of a file one by one, as `create index concurrently` wants it. It waits for each transaction that
 * began before, without keeping anybody from writing, and so has no limit. Broken off, the file is run again.
 */
async function applyOutside(pool: Pool, place: Place, migration: Migration): Promise<Became> {
  const session = await pool.reserve();
  try {
    await session`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)`;
    const [lock] = await session<{ isOurs: boolean }[]>`
      select pg_try_advisory_lock(hashtext('sparechange.migrate')) as "isOurs"`;
    if (!lock?.isOurs) return 'busy';
    if (await isKnown(session, migration)) return 'known';
    for (const { db, text } of placeMigration(session, migration.divided, place))
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
