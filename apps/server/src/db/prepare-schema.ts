import { connect, type Pool } from './connect.ts';
import type { Engine } from './engine.ts';
import { migrate } from './migrate.ts';
import { grantProductRole } from './product-role.ts';
import { refuseUnfitServer } from './refuse-unfit-server.ts';

/** Brings the schema up to date, as its owner where there is one, and gives the product's role its rights. */
export async function prepareSchema(db: Pool, ownerUrl: string | undefined, engine: Engine): Promise<void> {
  await refuseUnfitServer(db);
  if (ownerUrl === undefined) await migrateOn(engine, db);
  else await prepareAsOwner(db, ownerUrl, engine);
  await engine.findNodes(db);
}

async function migrateOn(engine: Engine, owner: Pool): Promise<void> {
  await engine.check(owner);
  await migrate(owner);
  await engine.distribute(owner);
}

async function prepareAsOwner(db: Pool, url: string, engine: Engine): Promise<void> {
  const owner = connect(url, { max: 2, name: 'sparechange migrations', buckets: db.scope.buckets });
  try {
    await refuseUnfitServer(owner);
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
