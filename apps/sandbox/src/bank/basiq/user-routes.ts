import type { FastifyInstance } from 'fastify';
import type { World } from '#world/world.ts';
import { parse } from './access.ts';
import { listLiveConnections, listSharedAccounts } from './connections.ts';
import { emit } from './events.ts';
import { parameterNotSupplied, parameterNotValid } from './problem.ts';
import { addUser, getUser, NewUser, removeUser, type User, updateUser } from './users.ts';

interface Path {
  Params: { userId: string };
}

const present = (origin: string, user: User) => ({
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

function check({ email, mobile }: NewUser): void {
  if (email !== undefined && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) {
    throw parameterNotValid('Provided email is in bad format.', 'email');
  }
  if (mobile !== undefined && !/^\+?[1-9]\d{7,14}$/.test(mobile)) {
    throw parameterNotValid('Provided mobile is in bad format.', 'mobile');
  }
}

export function userRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, origin } = world;

  app.post('/users', async (request, reply) => {
    const wanted = parse(NewUser, request.body);
    if (!wanted.email && !wanted.mobile) throw parameterNotSupplied("One of 'email' or 'mobile' is required.", 'email');
    check(wanted);
    const user = db.atomically(() => {
      const added = addUser(db, wanted, clock.now());
      emit(world, 'user.created', { userId: added.id, path: `/users/${added.id}` }, clock.now());
      return added;
    });
    return reply.status(201).send(present(origin, user));
  });

  app.get<Path>('/users/:userId', async ({ params }) => presentWhole(world, getUser(db, params.userId)));

  app.post<Path>('/users/:userId', async ({ params, body }) => {
    const change = parse(NewUser, body);
    check(change);
    return db.atomically(() => {
      const user = updateUser(db, params.userId, change);
      emit(world, 'user.updated', { userId: user.id, path: `/users/${user.id}` }, clock.now());
      return present(origin, user);
    });
  });

  app.delete<Path>('/users/:userId', async ({ params }, reply) => {
    db.atomically(() => {
      getUser(db, params.userId);
      removeUser(db, params.userId);
      emit(world, 'user.deleted', { userId: params.userId, path: `/users/${params.userId}` }, clock.now());
    });
    return reply.status(204).send();
  });
}

function presentWhole({ db, origin }: World, user: User) {
  const self = `${origin}/basiq/users/${user.id}`;
  const connections = listLiveConnections(db, user.id);
  const accounts = listSharedAccounts(db, user.id);
  const list = (type: string, path: string, ids: string[]) => ({
    type: 'list',
    count: ids.length,
    data: ids.map((id) => ({ type, id, links: { self: `${self}/${path}/${id}` } })),
  });
  return {
    ...present(origin, user),
    name: `${user.firstName} ${user.lastName}`.trim(),
    connections: list(
      'connection',
      'connections',
      connections.map(({ id }) => id),
    ),
    accounts: list(
      'account',
      'accounts',
      accounts.map(({ id }) => id),
    ),
    links: {
      self,
      auth_link: `${self}/auth_link`,
      accounts: `${self}/accounts`,
      connections: `${self}/connections`,
      transactions: `${self}/transactions`,
    },
  };
}
