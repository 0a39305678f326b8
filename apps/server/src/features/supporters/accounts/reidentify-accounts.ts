import type { Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { identitiesOf, type StoredNumber, storedIdentityText } from './account-identity.ts';

type Row = StoredNumber & { supporterId: string; id: string; identity: Uint8Array };

const pageSize = 500;

/** Derives identities of an older data key again with the current one; returns how many. Safe to run again. */
export async function reidentifyAccounts(pool: Pool, encryption: FieldEncryption): Promise<number> {
  const derived = await inEachBucket(pool, (bucket) => reidentifyIn(bucket, encryption));
  return derived.reduce((sum, count) => sum + count);
}

async function reidentifyIn(db: Pool, encryption: FieldEncryption): Promise<number> {
  let derived = 0;
  const pages = db<Row[]>`
    select supporter_id as "supporterId", id, identity, kind, masked_number as "maskedNumber", institution,
      bsb_encrypted as "bsbEncrypted", account_number_encrypted as "accountNumberEncrypted"
    from accounts where substring(identity from 1 for ${encryption.currentKeyId.length}::int) <> ${encryption.currentKeyId}`;
  for await (const rows of pages.cursor(pageSize)) {
    for (const row of rows) {
      const text = storedIdentityText(encryption, row.supporterId, row);
      const identity = text === undefined ? null : identitiesOf(encryption, row.supporterId, text)[0];
      const { count } = await db`
        update accounts set identity = ${identity}
        where supporter_id = ${row.supporterId} and id = ${row.id} and identity = ${row.identity}`;
      derived += count;
    }
  }
  return derived;
}
