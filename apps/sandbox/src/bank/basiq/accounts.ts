import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { getBank } from '#bank/statements/banks.ts';
import { accountHolder, crns } from '#bank/statements/customers.ts';
import { balanceOf, pendingLines, reportedBalance } from '#bank/statements/ledger.ts';
import { isIsoDate, isoInstant, sydneyDate } from '#world/days.ts';
import { dollars, sumOf } from '#world/money.ts';
import type { World } from '#world/world.ts';
import { listOf, notFound, parameterNotValid } from './answers.ts';
import { getReachableUser, listSharedAccounts, pathsOf, type SharedAccount, viewOf } from './connections.ts';
import { parseFilter } from './filter.ts';
import {
  filterAccounts,
  findTransactions,
  historyStart,
  presentTransaction,
  transactionFilter,
} from './transactions.ts';
import { getUser } from './users.ts';

/** Returns the person's name, or another's for CRN 90000007. */
function holderOf({ db }: World, { connection, customer }: SharedAccount): string {
  if (customer.crn === crns.otherName) return accountHolder(customer);
  const { firstName, lastName } = getUser(db, connection.userId);
  return `${firstName} ${lastName}`.trim().toUpperCase();
}

export function presentAccount(world: World, shared: SharedAccount) {
  const { connection, customer, account, id } = shared;
  const { bsb, number, creditLimitCents = 0 } = account;
  const api = `${world.origin}/basiq`;
  const view = viewOf(world, connection);
  const reportedCents = reportedBalance(world.db, customer, account.position);
  const balanceCents = reportedCents ?? balanceOf(view, customer, account);
  const pending = reportedCents === undefined ? pendingLines(view, customer, account) : [];
  const availableCents = balanceCents + sumOf(pending) + creditLimitCents;
  const masked = `${'x'.repeat(number.length - 4)}${number.slice(-4)}`;
  return {
    type: 'account',
    id,
    name: account.name,
    accountHolder: holderOf(world, shared),
    accountNo: `${bsb}${number}`,
    ...(bsb === '' ? { maskedNumber: number } : { bsb, unmaskedAccNum: number, maskedNumber: masked }),
    accountOwnership: account.ownership,
    isOwned: true,
    currency: 'AUD',
    balance: dollars(balanceCents),
    availableFunds: dollars(availableCents),
    creditLimit: account.creditLimitCents === undefined ? null : dollars(creditLimitCents),
    class: { type: account.kind, product: account.name.replace(`${getBank(connection.institution).name} `, '') },
    connection: connection.id,
    institution: connection.institution,
    status: connection.status === 'active' ? 'available' : 'unavailable',
    lastUpdated: isoInstant(connection.lastUsedAt),
    transactionIntervals: [{ from: historyStart(connection), to: sydneyDate(world.clock.now()) }],
    links: {
      self: `${api}/users/${connection.userId}/accounts/${id}`,
      transactions: `${api}/users/${connection.userId}/transactions?filter=account.id.eq('${id}')`,
      connection: `${api}${pathsOf(connection).connection}`,
      institution: `${api}/institutions/${connection.institution}`,
    },
  };
}

interface Path {
  Params: { userId: string; accountId: string; transactionId: string };
  Querystring: { filter?: string; limit?: string; next?: string };
}

export function dataRoutes(app: FastifyInstance, world: World): void {
  const { db, origin } = world;

  app.get<Path>('/users/:userId/accounts', async ({ params: { userId }, query }) => {
    getReachableUser(db, userId);
    const found = filterAccounts(listSharedAccounts(db, userId), query.filter);
    const data = found.map((shared) => presentAccount(world, shared));
    return listOf(`${origin}/basiq/users/${userId}/accounts`, data, 'count');
  });

  app.get<Path>('/users/:userId/accounts/:accountId', async ({ params: { userId, accountId } }) => {
    getReachableUser(db, userId);
    const shared = listSharedAccounts(db, userId).find(({ id }) => id === accountId);
    if (shared === undefined) throw notFound('account');
    return presentAccount(world, shared);
  });

  app.get<Path>('/users/:userId/transactions', async ({ params: { userId }, query }) => {
    getReachableUser(db, userId);
    const { filter, limit, after } = pageOf(query);
    const conditions = parseFilter(filter, transactionFilter);
    const dates = conditions.filter(({ property }) => property === 'transaction.postDate');
    if (!dates.every(({ values }) => values.every((value) => isIsoDate(value.slice(0, 10))))) {
      throw parameterNotValid('PostDate is not valid', 'filter');
    }
    const found = findTransactions(world, listSharedAccounts(db, userId), conditions);
    const rest = after === undefined ? found : found.filter(({ order }) => order < after);
    const page = rest.slice(0, limit);
    const self = `${origin}/basiq/users/${userId}/transactions`;
    const cursor = { filter, limit, after: page.at(-1)?.order };
    const next = `${self}?next=${Buffer.from(JSON.stringify(cursor)).toString('base64url')}`;
    return {
      type: 'list',
      count: page.length,
      size: found.length,
      data: page.map((transaction) => presentTransaction(world, transaction)),
      links: { self, ...(rest.length > limit ? { next } : {}) },
    };
  });

  app.get<Path>('/users/:userId/transactions/:transactionId', async ({ params: { userId, transactionId } }) => {
    getReachableUser(db, userId);
    const [transaction] = findTransactions(world, listSharedAccounts(db, userId), [
      { property: 'transaction.id', operator: 'eq', values: [transactionId] },
    ]);
    if (transaction === undefined) throw notFound('transaction');
    return presentTransaction(world, transaction);
  });
}

const maxLimit = 500;
const Cursor = z.object({ filter: z.string(), limit: z.number(), after: z.string() });

function pageOf({ filter = '', limit, next }: Path['Querystring']): { filter: string; limit: number; after?: string } {
  if (next !== undefined) {
    try {
      return Cursor.parse(JSON.parse(Buffer.from(next, 'base64url').toString()));
    } catch {
      throw parameterNotValid('Next value is not valid', 'next');
    }
  }
  if (limit === undefined) return { filter, limit: maxLimit };
  if (!/^[1-9]\d*$/.test(limit)) throw parameterNotValid('Limit value is not valid', 'limit');
  if (Number(limit) > maxLimit) throw parameterNotValid(`Maximum limit allowed is ${maxLimit}`, 'limit');
  return { filter, limit: Number(limit) };
}
