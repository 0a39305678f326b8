import { connect, type Pool } from './connect.ts';
import { migrate } from './migrate.ts';
import { grantProductRole } from './product-role.ts';

/** Brings the schema up to date, as its owner where there is one, and gives the product's role its rights. */
export async function prepareSchema(db: Pool, ownerUrl: string | undefined): Promise<void> {
  if (ownerUrl === undefined) {
    await migrate(db);
    return;
  }
  const [{ role } = { role: '' }] = await db<{ role: string }[]>`select current_user as role`;
  const owner = connect(ownerUrl, { max: 1, name: 'sparechange migrations', buckets: db.scope.buckets });
  try {
    await migrate(owner);
    await grantProductRole(owner, role);
  } finally {
    await owner.end();
  }
}
