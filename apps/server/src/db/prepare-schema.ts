import { connect, type Pool } from './connect.ts';
import type { Engine } from './engine.ts';
import { isMigrated, migrate } from './migrate.ts';
import { grantProductRole, holdsItsRights } from './product-role.ts';
import { refuseUnfitServer } from './refuse-unfit-server.ts';

interface Server {
  /** True for our own server, which has our version and no proxy in front of it. */
  isEmbedded?: boolean;
}

/** Brings the schema up to date, as its owner where there is one, and gives the product's role its rights. */
export async function prepareSchema(
  db: Pool,
  ownerUrl: string | undefined,
  engine: Engine,
  { isEmbedded = false }: Server = {},
): Promise<void> {
  if (!isEmbedded) await refuseUnfitServer(db);
  if (ownerUrl === undefined) await migrateOn(engine, db);
  else if (engine.distributes || !(await isReady(db))) await prepareAsOwner(db, ownerUrl, engine, isEmbedded);
  await engine.findNodes(db);
}

/** Returns whether the product's role sees nothing left to do for the owner, who then need not connect. */
async function isReady(db: Pool): Promise<boolean> {
  try {
    return (await isMigrated(db)) && (await holdsItsRights(db));
  } catch (error) {
    if ((error as { code?: string }).code === insufficientPrivilege) return false;
    throw error;
  }
}

const insufficientPrivilege = '42501';

async function migrateOn(engine: Engine, owner: Pool): Promise<void> {
  await engine.check(owner);
  await migrate(owner);
  await engine.distribute(owner);
}

async function prepareAsOwner(db: Pool, url: string, engine: Engine, isEmbedded: boolean): Promise<void> {
  const owner = connect(url, { max: 2, name: 'sparechange migrations', buckets: db.scope.buckets });
  try {
    if (!isEmbedded) await refuseUnfitServer(owner);
    await migrateOn(engine, owner);
    await grantTo(db, owner);
  } finally {
    await owner.end();
  }
}

async function grantTo(product: Pool, owner: Pool): Promise<void> {
  const [row] = await product<{ role: string }[]>`select current_user as role`;
  if (!row) throw new Error('PostgreSQL did not name its role.');
  await grantProductRole(owner, row.role);
}
