import { randomUUID } from 'node:crypto';
import type { Db } from '#world/database.ts';

/** The other way into the consent pages: a link for one use, of which a user has only the newest. */
export interface AuthLink {
  id: string;
  userId: string;
  mobile: string;
  expiresAt: number;
}

const lifeMs = 7 * 86_400_000;
const columns = 'id, user_id as userId, mobile, expires_at as expiresAt';

export function makeAuthLink(db: Db, userId: string, mobile: string, at: number): AuthLink {
  const link = { id: randomUUID().slice(0, 8), userId, mobile, expiresAt: at + lifeMs };
  db.run(
    'insert or replace into auth_links (user_id, id, mobile, expires_at) values (?, ?, ?, ?)',
    userId,
    link.id,
    mobile,
    link.expiresAt,
  );
  return link;
}

export const findAuthLink = (db: Db, userId: string): AuthLink | undefined =>
  db.find<AuthLink>(`select ${columns} from auth_links where user_id = ?`, userId);

/** Using a link uses it up. */
export const takeAuthLink = (db: Db, id: string, now: number): AuthLink | undefined =>
  db.find<AuthLink>(`delete from auth_links where id = ? and expires_at > ? returning ${columns}`, id, now);

export const removeAuthLink = (db: Db, userId: string): boolean =>
  db.run('delete from auth_links where user_id = ?', userId) === 1;
