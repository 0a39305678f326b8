import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Db, table } from '#world/database.ts';
import type { World } from '#world/world.ts';
import { notFound, parameterNotSupplied, parameterNotValid, parse } from './answers.ts';
import { emit } from './events.ts';

const Business = z.object({
  businessName: z.string().optional(),
  businessIdNo: z.string().optional(),
  businessIdNoType: z.enum(['ABN', 'ACN']).optional(),
  businessAddress: z.record(z.string(), z.string()).optional(),
  verificationStatus: z.boolean().optional(),
  verificationDate: z.string().optional(),
});

const Person = z.object({
  email: z.string().optional(),
  mobile: z.string().optional(),
  firstName: z.string().optional(),
  middleName: z.string().optional(),
  lastName: z.string().optional(),
});

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

export const users = table<User>('users', ['business']);

export function getUser(db: Db, id: string): User {
  const user = users.find(db, { id });
  if (user === undefined) throw notFound('user');
  return user;
}

/** Returns one of the users with that address: the one with a bank connected, then the newest. Basiq allows several. */
export function findUserByEmail(db: Db, email: string): User | undefined {
  const isConnected = `exists (select 1 from connections where user_id = users.id and status = 'active')`;
  const order = `order by ${isConnected} desc, created_at desc, rowid desc limit 1`;
  return users.select(db, `where lower(email) = lower(?) ${order}`, email)[0];
}

function removeUser(db: Db, id: string): void {
  db.run('delete from shared_accounts where connection_id in (select id from connections where user_id = ?)', id);
  for (const name of ['connections', 'consents', 'jobs', 'auth_links', 'visits']) {
    db.run(`delete from ${name} where user_id = ?`, id);
  }
  users.remove(db, { id });
}

export const presentUser = (origin: string, user: User) => ({
  type: 'user',
  id: user.id,
  email: user.email ?? '',
  mobile: user.mobile ?? '',
  firstName: user.firstName,
  middleName: user.middleName,
  lastName: user.lastName,
  ...user.business,
  links: { self: `${origin}/basiq/users/${user.id}` },
});

interface Path {
  Params: { userId: string };
}

function parsePerson(body: unknown) {
  const { email, mobile, ...names } = parse(Person.extend(Business.shape), body);
  if (email !== undefined && !/^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+$/.test(email)) {
    throw parameterNotValid('Provided email is in bad format.', 'email');
  }
  if (mobile !== undefined && !/^\+?[1-9]\d{7,14}$/.test(mobile)) {
    throw parameterNotValid('Provided mobile is in bad format.', 'mobile');
  }
  return { email, mobile, ...names };
}

export function userRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, origin } = world;
  const announce = (type: 'user.created' | 'user.updated' | 'user.deleted', id: string) =>
    emit(world, type, id, `/users/${id}`, clock.now());

  app.post('/users', async ({ body }, reply) => {
    const { email, mobile, firstName = '', middleName = '', lastName = '', ...business } = parsePerson(body);
    if (!email && !mobile) throw parameterNotSupplied("One of 'email' or 'mobile' is required.", 'email');
    const contact = { email: email ?? null, mobile: mobile ?? null };
    const user: User = {
      id: randomUUID(),
      ...contact,
      firstName,
      middleName,
      lastName,
      business,
      createdAt: clock.now(),
    };
    db.atomically(() => {
      users.insert(db, user);
      announce('user.created', user.id);
    });
    return reply.status(201).send(presentUser(origin, user));
  });

  app.post<Path>('/users/:userId', async ({ params, body }) => {
    const change = Person.parse(parsePerson(body));
    return db.atomically(() => {
      const { id, ...before } = getUser(db, params.userId);
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      users.update(db, { id }, { ...before, ...given });
      announce('user.updated', id);
      return presentUser(origin, getUser(db, id));
    });
  });

  app.delete<Path>('/users/:userId', async ({ params }, reply) => {
    db.atomically(() => {
      removeUser(db, getUser(db, params.userId).id);
      announce('user.deleted', params.userId);
    });
    return reply.status(204).send();
  });
}
