import type { Logger } from 'pino';
import type { Config } from '#config/config.ts';
import { type ConnectOptions, connect, type Pool } from '#db/connect.ts';
import { answersWithin } from '#db/database-answers.ts';
import { type EmbeddedDatabase, findEmbedded, startEmbedded, withoutFsync } from '#db/embedded.ts';
import { type Engine, engines } from '#db/engine.ts';
import { instanceLock, lockInstance } from '#db/instance-lock.ts';
import { limitsOfProcess } from '#db/limits.ts';
import { prepareSchema } from '#db/prepare-schema.ts';
import { movedByMs } from '#db/product-clock.ts';
import { problemOfRole } from '#db/product-role.ts';
import { holdsNow, isLocked } from '#db/session-lock.ts';
import { StartProblem } from '#errors.ts';

export interface OpenedDatabase {
  databaseUrl: string;
  /** The address of the database's owner, where it has one, for commands that change its tables. */
  ownerUrl: string | undefined;
  engine: Engine;
  db: Pool;
}

/** Throws StartProblem where `ops advance` has moved the clock of this database, as in a copy of a test's. */
async function refuseMovedClock(db: Pool): Promise<void> {
  const offsetMs = await movedByMs(db);
  if (offsetMs === 0) return;
  const hours = Math.round(offsetMs / 3_600_000);
  throw new StartProblem(
    `The product's clock in this database is moved by ${hours} hours; debits would be taken on wrong days. It is no database for production.`,
  );
}

/** Throws StartProblem where the product's role may do too much. */
async function refuseMightyRole(db: Pool): Promise<void> {
  const problem = await problemOfRole(db);
  if (problem) throw new StartProblem(problem);
}

/** Time in which a running server answers; one that does not is looked for again, by its process. */
const answersMs = 10_000;

/** Connects to the embedded database: to the running one by its address alone, or after starting it. */
async function connectEmbedded(config: Config, how: ConnectOptions): Promise<{ embedded: EmbeddedDatabase; db: Pool }> {
  const settings = config.embeddedFsync ? {} : withoutFsync;
  const found = await findEmbedded(config.dataDir, settings);
  if (found) {
    const db = connect(found.url, how);
    if (await answersWithin(db, answersMs)) return { embedded: found, db };
    await db.end({ timeout: 0 });
  }
  const embedded = await startEmbedded(config.dataDir, settings);
  return { embedded, db: connect(embedded.url, how) };
}

/** Ends a command's connections; one beside a running product knows without waiting that PostgreSQL is still used. */
async function endCommand(db: Pool, embedded: EmbeddedDatabase): Promise<void> {
  const isServed = await holdsNow(db, isLocked(db, instanceLock)).catch(() => false);
  await db.end({ timeout: 2 });
  if (!isServed) await embedded.release();
}

async function endServer(db: Pool, embedded?: EmbeddedDatabase): Promise<void> {
  await db.end({ timeout: 2 });
  await embedded?.release();
}

/**
 * Connects to the database, starting the embedded one if need be, and brings its schema up to date. A second server on one
 * data folder is refused before it could change anything.
 */
export async function openDatabase(
  config: Config,
  name: string,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<OpenedDatabase> {
  const how = {
    max: config.databasePoolSize,
    name: `sparechange ${name}`,
    limits: limitsOfProcess(name, config.databaseStatementSeconds),
    buckets: config.buckets,
  };
  const { embedded, db } = config.databaseUrl
    ? { embedded: undefined, db: connect(config.databaseUrl, how) }
    : await connectEmbedded(config, how);
  opened.defer(() => (embedded && name === 'ops' ? endCommand(db, embedded) : endServer(db, embedded)));
  if (embedded && name !== 'ops') {
    const lock = await lockInstance(embedded, log);
    if (!lock)
      throw new StartProblem(
        `Another Sparechange is running on ${config.dataDir}; this one stops and has changed nothing.`,
      );
    opened.defer(lock.release);
  }
  const ownerUrl = config.databaseOwnerUrl ?? embedded?.ownerUrl;
  const engine = engines[config.databaseEngine];
  await prepareSchema(db, ownerUrl, engine, { isEmbedded: embedded !== undefined });
  if (config.isProduction) await refuseMightyRole(db);
  if (config.isProduction) await refuseMovedClock(db);
  return { databaseUrl: config.databaseUrl ?? embedded?.url ?? '', ownerUrl, engine, db };
}
