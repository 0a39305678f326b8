import type { FastifyInstance } from 'fastify';
import { isoInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { presentAccount } from './accounts.ts';
import { listOf, parameterNotValid, problemOfStatus } from './answers.ts';
import {
  type Connection,
  deleteConnection,
  getConnection,
  getReachableUser,
  listLiveConnections,
  listSharedAccounts,
  pathsOf,
  purgeConnection,
  sharedAccountsOf,
} from './connections.ts';
import { applyFilter } from './filter.ts';
import { findOpenJob, type Job, startJob } from './jobs.ts';
import { getUser, presentUser } from './users.ts';

/** Refreshes that Basiq allows an open-banking connection in 24 hours; its own nightly ones do not count. */
const maxRefreshesADay = 20;
const dayMs = 86_400_000;

interface Path {
  Params: { userId: string; connectionId: string };
  Querystring: { filter?: string };
}

export function connectionRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, origin } = world;
  const api = `${origin}/basiq`;
  const presentLink = ({ id }: Job) => ({ type: 'job', id, links: { self: `${api}/jobs/${id}` } });

  /** Returns the refresh under way instead of starting a second. */
  const refresh = (connection: Connection): { job: Job; isNew: boolean } => {
    const open = findOpenJob(db, connection.id);
    if (open !== undefined) return { job: open, isNew: false };
    const now = clock.now();
    const asked = 'select at from refreshes where connection_id = ? and at >= ?';
    if (db.all(asked, connection.id, now - dayMs).length >= maxRefreshesADay) throw problemOfStatus(429);
    db.run('insert into refreshes (connection_id, at) values (?, ?)', connection.id, now);
    return { job: startJob(world, connection, 'refresh', now), isNew: true };
  };

  const present = (connection: Connection) => {
    const { connection: self, accounts, transactions } = pathsOf(connection);
    const institution = `${api}/institutions/${connection.institution}`;
    return {
      type: 'connection',
      id: connection.id,
      method: 'openbanking',
      status: connection.status,
      createdDate: isoInstant(connection.createdAt),
      expiryDate: isoInstant(connection.expiresAt),
      lastUsed: isoInstant(connection.lastUsedAt),
      institution: { type: 'institution', id: connection.institution, links: { self: institution } },
      links: {
        self: `${api}${self}`,
        accounts: `${api}${accounts}`,
        transactions: `${api}${transactions}`,
        institution,
      },
    };
  };

  app.get<Path>('/users/:userId', async ({ params: { userId } }) => {
    const user = getUser(db, userId);
    const self = `${api}/users/${userId}`;
    const referTo = (type: 'connection' | 'account', items: { id: string }[]) => ({
      type: 'list',
      count: items.length,
      data: items.map(({ id }) => ({ type, id, links: { self: `${self}/${type}s/${id}` } })),
    });
    return {
      ...presentUser(origin, user),
      name: `${user.firstName} ${user.lastName}`.trim(),
      connections: referTo('connection', listLiveConnections(db, userId)),
      accounts: referTo('account', listSharedAccounts(db, userId)),
      links: {
        self,
        auth_link: `${self}/auth_link`,
        accounts: `${self}/accounts`,
        connections: `${self}/connections`,
        transactions: `${self}/transactions`,
      },
    };
  });

  app.get<Path>('/users/:userId/connections', async ({ params: { userId }, query }) => {
    getReachableUser(db, userId);
    const found = applyFilter(listLiveConnections(db, userId), query.filter, ['eq'], {
      'connection.id': ({ id }) => id,
      'connection.status': ({ status }) => status,
      'institution.id': ({ institution }) => institution,
    });
    return listOf(`${api}/users/${userId}/connections`, found.map(present), 'size');
  });

  app.post<Path>('/users/:userId/connections/refresh', async ({ params: { userId } }, reply) => {
    getReachableUser(db, userId);
    const refreshed = db.atomically(() => listLiveConnections(db, userId).map(refresh));
    const isUnderWay = refreshed.length > 0 && refreshed.every(({ isNew }) => !isNew);
    return reply
      .status(isUnderWay ? 200 : 202)
      .send({ type: 'list', data: refreshed.map(({ job }) => presentLink(job)) });
  });

  const one = '/users/:userId/connections/:connectionId';

  app.get<Path>(one, async ({ params: { userId, connectionId } }) => {
    getReachableUser(db, userId);
    const connection = getConnection(db, userId, connectionId);
    const accounts = sharedAccountsOf(db, connection).map((shared) => presentAccount(world, shared));
    const { links, ...fields } = present(connection);
    return {
      ...fields,
      links: { ...links, user: `${api}/users/${userId}` },
      accounts: { type: 'list', data: accounts },
    };
  });

  app.post<Path>(`${one}/refresh`, async ({ params: { userId, connectionId } }, reply) => {
    getReachableUser(db, userId);
    const { job, isNew } = db.atomically(() => refresh(getConnection(db, userId, connectionId)));
    return reply.status(isNew ? 202 : 200).send(presentLink(job));
  });

  app.delete<Path>(one, async ({ params: { userId, connectionId } }, reply) => {
    db.atomically(() => deleteConnection(world, getConnection(db, userId, connectionId)));
    return reply.status(204).send();
  });

  app.post<Path>(`${one}/purge`, async ({ params: { userId, connectionId } }, reply) => {
    const connection = getConnection(db, userId, connectionId);
    if (connection.status !== 'active') throw parameterNotValid('Connection is not active.', 'connectionId');
    db.atomically(() => purgeConnection(world, connection, clock.now()));
    return reply.status(204).send();
  });
}
