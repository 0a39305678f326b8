import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { startEmbedded } from '@sparechange/server/db/embedded.ts';
import { inEachBucket } from '@sparechange/server/db/in-each-bucket.ts';
import {
  saveSavingsAccount,
  saveSavingsEnabled,
} from '@sparechange/server/features/disbursements/savings/savings-repository.ts';
import { loadKeys } from '@sparechange/server/secrets/data-key.ts';
import { makeFieldEncryption } from '@sparechange/server/secrets/field-encryption.ts';
import type { Place } from './product.ts';

/** Links every second supporter's savings, as they cannot sign in. */
export async function linkSavings(place: Place): Promise<void> {
  const db = await openAsOwner(place);
  try {
    const encryption = makeFieldEncryption(await loadKeys(place.dataDir, 'data'));
    await inEachBucket(db, async (bucket) => {
      const people = await bucket<{ id: string }[]>`select supporter_id as id from supporters order by email`;
      for (const { id } of people.filter((_, index) => index % 2 === 0)) {
        await saveSavingsEnabled(bucket, id, true);
        await saveSavingsAccount(bucket, id, {
          accountName: 'Rainy days',
          maskedNumber: 'XXXX5678',
          bsbEncrypted: encryption.encrypt('062000', `supporter ${id} savings bsb`),
          accountNumberEncrypted: encryption.encrypt('12345678', `supporter ${id} savings account number`),
          linkedAt: new Date(),
          receivesFrom: null,
        });
      }
    });
  } finally {
    await db.end();
  }
}

/** Connects to the place's own database, or else to its embedded one. */
async function openAsOwner({ dataDir, env = {} }: Place): Promise<Pool> {
  const url = env.DATABASE_OWNER_URL ?? (await startEmbedded(dataDir)).ownerUrl;
  return connect(url, { max: 1, buckets: Number(env.BUCKETS ?? 1) });
}
