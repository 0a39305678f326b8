import type { Logger } from 'pino';
import { connect, type Pool } from './connect.ts';
import { copyReferences } from './copy-references.ts';
import { ifReachable } from './database-answers.ts';
import type { Engine } from './engine.ts';
import { migrate } from './migrate.ts';
import { grantProductRole } from './product-role.ts';
import { refuseUnfitServers } from './refuse-unfit-servers.ts';
import { findSilentServers } from './silent-servers.ts';

/** Addresses of the database's servers as their owner. */
export interface OwnerUrls {
  control: string | undefined;
  servers: Record<string, string> | undefined;
}

/**
 * Brings the schema of each server up to date, as its owner where there is one, and gives the product's role its rights.
 * Buckets of a further server that does not answer stay unplaced.
 */
export async function prepareSchema(db: Pool, { control, servers }: OwnerUrls, engine: Engine): Promise<void> {
  await refuseUnfitServers(db);
  if (control === undefined) await migrateOn(engine, db);
  else await prepareAsOwner(db, control, servers, engine);
  await engine.findNodes(db);
  await ifReachable(() => copyReferences(db));
}

async function migrateOn(engine: Engine, owner: Pool): Promise<void> {
  await engine.check(owner);
  await migrate(owner);
  await engine.distribute(owner);
}

async function prepareAsOwner(
  db: Pool,
  url: string,
  servers: Record<string, string> = {},
  engine: Engine,
): Promise<void> {
  const { buckets } = db.scope;
  const owner = connect(url, { max: 2, name: 'sparechange migrations', buckets, servers });
  try {
    await refuseUnfitServers(owner);
    await migrateOn(engine, owner);
    const granted = new Set<string>();
    for (const server of db.servers.all)
      if (await ifReachable(() => grantOn(db.on(server), owner.on(owner.servers.named(server.name)))))
        granted.add(server.name);
    db.servers.placeAll(owner.servers.holders, granted);
  } finally {
    await owner.end();
  }
}

async function grantOn(product: Pool, owner: Pool): Promise<void> {
  const [row] = await product<{ role: string }[]>`select current_user as role`;
  if (!row) throw new Error('PostgreSQL did not name its role.');
  await grantProductRole(owner, row.role);
}

const tryAgainMs = 5_000;

/** Prepares servers that did not answer as soon as they do; returns what ends it. */
export function keepPreparing(db: Pool, prepare: () => Promise<void>, log: Logger, everyMs = tryAgainMs): () => void {
  const isWhole = () => db.servers.holders.every((name) => name !== undefined);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const prepareAgain = async () => {
    await prepare().catch((err) => log.error({ err }, 'a database server could not be prepared'));
    if (isStopped) return;
    if (isWhole()) log.info('every database server answers');
    else timer = setTimeout(prepareAgain, everyMs).unref();
  };
  if (!isWhole()) {
    void findSilentServers(db).then((servers) =>
      log.error({ servers }, 'a database server does not answer or is not ready; its supporters cannot be served'),
    );
    timer = setTimeout(prepareAgain, everyMs).unref();
  }
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
