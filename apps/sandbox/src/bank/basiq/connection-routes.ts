import type { FastifyInstance } from 'fastify';
import { isoInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { getReachableUser } from './access.ts';
import { presentAccount } from './accounts.ts';
import {
  type Connection,
  countAskedRefreshes,
  getConnection,
  listLiveConnections,
  noteAskedRefresh,
  removeConnection,
  setConnectionStatus,
  sharedAccountsOf,
} from './connections.ts';
import { emit } from './events.ts';
import { holds, parseFilter } from './filter.ts';
import { findOpenJob, type Job, startJob } from './jobs.ts';
import { parameterNotValid, problemOfStatus } from './problem.ts';

/** Refreshes that Basiq allows an open-banking connection in 24 hours. */
const refreshesADay = 20;
const dayMs = 86_400_000;

interface Path {
  Params: { userId: string; connectionId: string };
  Querystring: { filter?: string };
}

export function connectionRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, origin } = world;
  const presentLink = ({ id }: Job) => ({ type: 'job', id, links: { self: `${origin}/basiq/jobs/${id}` } });

  /** Returns the refresh under way instead of starting a second. */
  const refresh = (connection: Connection): { job: Job; isNew: boolean } => {
    const open = findOpenJob(db, connection.id);
    if (open !== undefined) return { job: open, isNew: false };
    const now = clock.now();
    if (countAskedRefreshes(db, connection.id, now - dayMs) >= refreshesADay) throw problemOfStatus(429);
    noteAskedRefresh(db, connection.id, now);
    return { job: startJob(world, connection, 'refresh', now), isNew: true };
  };

  app.get<Path>('/users/:userId/connections', async ({ params: { userId }, query }) => {
    getReachableUser(db, userId);
    const conditions = parseFilter(query.filter, {
      'connection.id': ['eq'],
      'connection.status': ['eq'],
      'institution.id': ['eq'],
    });
    const data = listLiveConnections(db, userId)
      .filter((connection) =>
        conditions.every((condition) => holds(condition, propertyOf(connection, condition.property))),
      )
      .map((connection) => present(origin, connection));
    return { type: 'list', size: data.length, data, links: { self: `${origin}/basiq/users/${userId}/connections` } };
  });

  app.post<Path>('/users/:userId/connections/refresh', async ({ params: { userId } }, reply) => {
    getReachableUser(db, userId);
    const refreshed = db.atomically(() => listLiveConnections(db, userId).map(refresh));
    const data = refreshed.map(({ job }) => presentLink(job));
    return reply
      .status(refreshed.length > 0 && refreshed.every(({ isNew }) => !isNew) ? 200 : 202)
      .send({ type: 'list', data });
  });

  app.get<Path>('/users/:userId/connections/:connectionId', async ({ params: { userId, connectionId } }) => {
    getReachableUser(db, userId);
    const connection = getConnection(db, userId, connectionId);
    const accounts = sharedAccountsOf(db, connection).map((shared) => presentAccount(world, shared));
    const whole = present(origin, connection);
    return {
      ...whole,
      accounts: { type: 'list', data: accounts },
      links: { ...whole.links, user: `${origin}/basiq/users/${userId}` },
    };
  });

  app.post<Path>(
    '/users/:userId/connections/:connectionId/refresh',
    async ({ params: { userId, connectionId } }, reply) => {
      getReachableUser(db, userId);
      const { job, isNew } = db.atomically(() => refresh(getConnection(db, userId, connectionId)));
      return reply.status(isNew ? 202 : 200).send(presentLink(job));
    },
  );

  app.delete<Path>('/users/:userId/connections/:connectionId', async ({ params: { userId, connectionId } }, reply) => {
    db.atomically(() => {
      const connection = getConnection(db, userId, connectionId);
      setConnectionStatus(db, connection.id, 'deleted');
      notifyDeleted(world, connection);
    });
    return reply.status(204).send();
  });

  app.post<Path>(
    '/users/:userId/connections/:connectionId/purge',
    async ({ params: { userId, connectionId } }, reply) => {
      db.atomically(() => {
        const connection = getConnection(db, userId, connectionId);
        if (connection.status !== 'active') throw parameterNotValid('Connection is not active.', 'connectionId');
        removeConnection(db, connection.id);
        notifyDeleted(world, connection);
      });
      return reply.status(204).send();
    },
  );
}

export const notifyDeleted = (world: World, { userId, id }: Connection): void =>
  emit(world, 'connection.deleted', { userId, path: `/users/${userId}/connections/${id}` }, world.clock.now());

function propertyOf(connection: Connection, property: string): string {
  if (property === 'connection.status') return connection.status;
  return property === 'connection.id' ? connection.id : connection.institution;
}

function present(origin: string, connection: Connection) {
  const user = `${origin}/basiq/users/${connection.userId}`;
  const institution = `${origin}/basiq/institutions/${connection.institution}`;
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
      self: `${user}/connections/${connection.id}`,
      accounts: `${user}/accounts?filter=connection.id.eq('${connection.id}')`,
      transactions: `${user}/transactions?filter=connection.id.eq('${connection.id}')`,
      institution,
    },
  };
}
