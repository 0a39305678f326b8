import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isIsoDate } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { getReachableUser } from './access.ts';
import { presentAccount } from './accounts.ts';
import { listSharedAccounts, type SharedAccount } from './connections.ts';
import { type Condition, holds, parseFilter } from './filter.ts';
import { notFound, parameterNotValid } from './problem.ts';
import { findTransactions, presentTransaction, transactionFilter } from './transactions.ts';

interface Path {
  Params: { userId: string; accountId: string; transactionId: string };
  Querystring: { filter?: string; limit?: string; next?: string };
}

const maximumLimit = 500;
const equality = ['eq', 'ne'] as const;
const accountFilter = { 'account.id': equality, 'connection.id': equality, 'institution.id': equality };

const Cursor = z.object({ filter: z.string(), limit: z.number(), after: z.string() });

export function dataRoutes(app: FastifyInstance, world: World): void {
  const { db, origin } = world;

  app.get<Path>('/users/:userId/accounts', async ({ params: { userId }, query }) => {
    getReachableUser(db, userId);
    const conditions = parseFilter(query.filter, accountFilter);
    const data = listSharedAccounts(db, userId)
      .filter((shared) => conditions.every((condition) => holds(condition, propertyOf(shared, condition))))
      .map((shared) => presentAccount(world, shared));
    return { type: 'list', count: data.length, data, links: { self: `${origin}/basiq/users/${userId}/accounts` } };
  });

  app.get<Path>('/users/:userId/accounts/:accountId', async ({ params: { userId, accountId } }) => {
    getReachableUser(db, userId);
    const shared = listSharedAccounts(db, userId).find(({ id }) => id === accountId);
    if (shared === undefined) throw notFound('Requested account does not exist.');
    return presentAccount(world, shared);
  });

  app.get<Path>('/users/:userId/transactions', async ({ params: { userId }, query }) => {
    getReachableUser(db, userId);
    const { filter, limit, after } = pageOf(query);
    const conditions = parseFilter(filter, transactionFilter);
    for (const { property, values } of conditions) {
      if (property === 'transaction.postDate' && !values.every((value) => isIsoDate(value.slice(0, 10)))) {
        throw parameterNotValid('PostDate is not valid', 'filter');
      }
    }
    const found = findTransactions(world, listSharedAccounts(db, userId), conditions);
    const rest = after === undefined ? found : found.filter(({ order }) => order < after);
    const page = rest.slice(0, limit);
    const self = `${origin}/basiq/users/${userId}/transactions`;
    const last = page.at(-1);
    const next =
      rest.length > limit && last !== undefined
        ? `${self}?next=${encode({ filter, limit, after: last.order })}`
        : undefined;
    return {
      type: 'list',
      count: page.length,
      size: found.length,
      data: page.map((transaction) => presentTransaction(world, transaction)),
      links: { self, ...(next === undefined ? {} : { next }) },
    };
  });

  app.get<Path>('/users/:userId/transactions/:transactionId', async ({ params: { userId, transactionId } }) => {
    getReachableUser(db, userId);
    const [transaction] = findTransactions(world, listSharedAccounts(db, userId), [
      { property: 'transaction.id', operator: 'eq', values: [transactionId] },
    ]);
    if (transaction === undefined) throw notFound('Requested transaction does not exist.');
    return presentTransaction(world, transaction);
  });
}

function propertyOf({ id, connection }: SharedAccount, { property }: Condition): string {
  if (property === 'account.id') return id;
  return property === 'connection.id' ? connection.id : connection.institution;
}

const encode = (cursor: z.infer<typeof Cursor>): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');

function pageOf({ filter = '', limit, next }: Path['Querystring']): { filter: string; limit: number; after?: string } {
  if (next !== undefined) {
    try {
      return Cursor.parse(JSON.parse(Buffer.from(next, 'base64url').toString()));
    } catch {
      throw parameterNotValid('Next value is not valid', 'next');
    }
  }
  if (limit === undefined) return { filter, limit: maximumLimit };
  if (!/^[1-9]\d*$/.test(limit)) throw parameterNotValid('Limit value is not valid', 'limit');
  if (Number(limit) > maximumLimit) throw parameterNotValid(`Maximum limit allowed is ${maximumLimit}`, 'limit');
  return { filter, limit: Number(limit) };
}
