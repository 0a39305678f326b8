import type { KeyScope } from '@sparechange/contract/programs';
import type { Db } from '#db/connect.ts';

export interface ApiKey {
  id: string;
  name: string;
  scopes: KeyScope[];
  clubId: string | null;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  usedAt: Date | null;
  /** Time until which the previous secret is valid. */
  formerUntil: Date | null;
}

interface KeyHashes {
  hash: Uint8Array;
  formerHash: Uint8Array | null;
}

const columns = (db: Db) => db`
  id, name, scopes, club_id as "clubId", created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt", used_at as "usedAt", former_until as "formerUntil"`;

/** Lists all keys, newest first. */
export async function listKeys(db: Db): Promise<ApiKey[]> {
  const keys = await db<ApiKey[]>`select ${columns(db)} from api_keys order by created_at desc, id`;
  return [...keys];
}

export async function findKey(db: Db, id: string): Promise<(ApiKey & KeyHashes) | undefined> {
  const [key] = await db<(ApiKey & KeyHashes)[]>`
    select ${columns(db)}, hash, former_hash as "formerHash" from api_keys where id = ${id}`;
  return key;
}

export type NewKey = Pick<ApiKey, 'id' | 'name' | 'scopes' | 'clubId' | 'createdAt' | 'expiresAt'> &
  Pick<KeyHashes, 'hash'>;

export async function insertKey(db: Db, key: NewKey): Promise<void> {
  await db`
    insert into api_keys (id, name, scopes, club_id, hash, created_at, expires_at)
    values (${key.id}, ${key.name}, ${key.scopes}, ${key.clubId}, ${key.hash}, ${key.createdAt}, ${key.expiresAt})`;
}

/**
 * Replaces a valid key's secret; returns its name and the end of its former secret, undefined without a valid key of
 * that id.
 */
export async function replaceSecret(
  db: Db,
  {
    id,
    hash,
    expiresAt,
    formerUntil,
    now,
  }: Pick<NewKey, 'id' | 'hash' | 'expiresAt'> & { formerUntil: Date; now: Date },
): Promise<{ name: string; formerUntil: Date } | undefined> {
  const [key] = await db<{ name: string; formerUntil: Date }[]>`
    update api_keys set former_hash = hash, former_until = least(expires_at, ${formerUntil}, ${expiresAt}),
      hash = ${hash}, expires_at = ${expiresAt}
    where id = ${id} and revoked_at is null and expires_at > ${now}
    returning name, former_until as "formerUntil"`;
  return key;
}

/** Ends a key immediately; returns its name, undefined if there is none that has not ended. */
export async function endKey(db: Db, id: string, at: Date): Promise<string | undefined> {
  const [key] = await db<{ name: string }[]>`
    update api_keys set revoked_at = ${at} where id = ${id} and revoked_at is null returning name`;
  return key?.name;
}

export async function recordUse(db: Db, id: string, at: Date): Promise<void> {
  await db`update api_keys set used_at = ${at} where id = ${id}`;
}
