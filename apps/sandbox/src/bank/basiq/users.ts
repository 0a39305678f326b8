import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '#world/database.ts';
import { notFound } from './problem.ts';

const Business = z.object({
  businessName: z.string().optional(),
  businessIdNo: z.string().optional(),
  businessIdNoType: z.enum(['ABN', 'ACN']).optional(),
  businessAddress: z.record(z.string(), z.string()).optional(),
  verificationStatus: z.boolean().optional(),
  verificationDate: z.string().optional(),
});

export const NewUser = Business.extend({
  email: z.string().optional(),
  mobile: z.string().optional(),
  firstName: z.string().optional(),
  middleName: z.string().optional(),
  lastName: z.string().optional(),
});
export type NewUser = z.infer<typeof NewUser>;

export interface User {
  id: string;
  email: string | null;
  mobile: string | null;
  firstName: string;
  middleName: string;
  lastName: string;
  business: z.infer<typeof Business>;
  createdAt: number;
}

interface Row extends Omit<User, 'business'> {
  business: string;
}

const columns = `id, email, mobile, first_name as firstName, middle_name as middleName, last_name as lastName,
  business, created_at as createdAt`;

const toUser = (row: Row): User => ({ ...row, business: Business.parse(JSON.parse(row.business)) });

export function addUser(db: Db, user: NewUser, at: number): User {
  const row = db.find<Row>(
    `insert into users (id, email, mobile, first_name, middle_name, last_name, business, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?) returning ${columns}`,
    randomUUID(),
    user.email ?? null,
    user.mobile ?? null,
    user.firstName ?? '',
    user.middleName ?? '',
    user.lastName ?? '',
    JSON.stringify(Business.parse(user)),
    at,
  );
  if (row === undefined) throw new Error('The user was not stored.');
  return toUser(row);
}

export function getUser(db: Db, id: string): User {
  const row = db.find<Row>(`select ${columns} from users where id = ?`, id);
  if (row === undefined) throw notFound('Requested user does not exist.');
  return toUser(row);
}

export const listUsers = (db: Db): User[] =>
  db.all<Row>(`select ${columns} from users order by created_at desc, id limit 500`).map(toUser);

/** Basiq does not mind two users with one address; the one with a bank connected, then the newest, is the one that is meant. */
export function findUserByEmail(db: Db, email: string): User | undefined {
  const row = db.find<Row>(
    `select ${columns} from users where lower(email) = lower(?)
     order by exists (select 1 from connections where user_id = users.id and status = 'active') desc, created_at desc, rowid desc limit 1`,
    email,
  );
  return row === undefined ? undefined : toUser(row);
}

export function updateUser(db: Db, id: string, change: NewUser): User {
  const before = getUser(db, id);
  db.run(
    'update users set email = ?, mobile = ?, first_name = ?, middle_name = ?, last_name = ? where id = ?',
    change.email ?? before.email,
    change.mobile ?? before.mobile,
    change.firstName ?? before.firstName,
    change.middleName ?? before.middleName,
    change.lastName ?? before.lastName,
    id,
  );
  return getUser(db, id);
}

export function removeUser(db: Db, id: string): void {
  db.run('delete from shared_accounts where connection_id in (select id from connections where user_id = ?)', id);
  for (const table of ['connections', 'consents', 'jobs', 'auth_links', 'visits']) {
    db.run(`delete from ${table} where user_id = ?`, id);
  }
  db.run('delete from users where id = ?', id);
}
