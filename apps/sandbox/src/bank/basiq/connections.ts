import { randomUUID } from 'node:crypto';
import { type BankAccount, type Customer, crns, customerOf } from '#bank/statements/customers.ts';
import type { View } from '#bank/statements/ledger.ts';
import { type Db, table } from '#world/database.ts';
import { addDays, sydneyDate, sydneyInstant } from '#world/days.ts';
import { seeded, uuidFrom } from '#world/seeded.ts';
import type { World } from '#world/world.ts';
import { notFound, unavailable } from './answers.ts';
import { type EventType, emit } from './events.ts';
import { getUser, type User } from './users.ts';

export interface Connection {
  id: string;
  userId: string;
  institution: string;
  crn: string;
  /** Deleted connections keep data; purged or revoked ones are removed. */
  status: 'pending' | 'active' | 'invalid' | 'deleted';
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number;
  /** Goes up with each refresh, giving pending transactions new ids. */
  pendingIssue: number;
  /** Increases when the bank re-issues posted lines under new ids, which only /control asks for. */
  postedIssue: number;
}

export const connections = table<Connection, 'pendingIssue' | 'postedIssue'>('connections');
const sharedAccounts = table<{ connectionId: string; position: number }>('shared_accounts');

export const listConnections = (db: Db, userId: string): Connection[] =>
  connections.list(db, { userId }, 'order by created_at, id');

export const listLiveConnections = (db: Db, userId: string): Connection[] =>
  listConnections(db, userId).filter(({ status }) => status !== 'deleted');

export const listConnectionsOf = (db: Db, { institution, crn }: Customer): Connection[] =>
  connections.list(db, { institution, crn, status: 'active' }, 'order by created_at, id');

export function getConnection(db: Db, userId: string, id: string): Connection {
  const connection = connections.find(db, { id });
  if (connection?.userId !== userId || connection.status === 'deleted') throw notFound('connection');
  return connection;
}

/** Returns a user, or throws 503 if the bank that they connected last does not answer (CRN 90000004). */
export function getReachableUser(db: Db, userId: string): User {
  const user = getUser(db, userId);
  if (listConnections(db, userId).at(-1)?.crn === crns.unavailable) throw unavailable();
  return user;
}

export const pathsOf = ({ userId, id }: Pick<Connection, 'userId' | 'id'>) => ({
  connection: `/users/${userId}/connections/${id}`,
  accounts: `/users/${userId}/accounts?filter=connection.id.eq('${id}')`,
  transactions: `/users/${userId}/transactions?filter=connection.id.eq('${id}')`,
});

/** Emits an event about a connection, its accounts or transactions. */
export function emitOf(
  world: World,
  type: EventType,
  connection: Pick<Connection, 'userId' | 'id'>,
  at = world.clock.now(),
): void {
  const { connection: own, accounts, transactions } = pathsOf(connection);
  const path = type === 'account.updated' ? accounts : type === 'transactions.updated' ? transactions : own;
  emit(world, type, connection.userId, path, at);
}

/** Connects a customer of a bank. Each time is a connection of its own, which shows its accounts under ids of its own. */
export function connect(
  db: Db,
  wanted: Pick<Connection, 'userId' | 'institution' | 'crn' | 'expiresAt'>,
  positions: number[],
  at: number,
): Connection {
  const { userId, institution, crn, expiresAt } = wanted;
  const id = randomUUID();
  const made = { id, userId, institution, crn, status: 'pending', createdAt: at, expiresAt, lastUsedAt: at } as const;
  for (const position of positions) sharedAccounts.insert(db, { connectionId: id, position });
  return connections.insert(db, made);
}

/** Marks a connection that was never established: it shares nothing. */
export function failConnection(db: Db, id: string): void {
  connections.update(db, { id }, { status: 'invalid' });
  sharedAccounts.remove(db, { connectionId: id });
}

/** Sets the end of the bank's permission for a connection. */
export function permitUntil({ db, scheduler }: World, id: string, expiresAt: number): void {
  connections.update(db, { id }, { expiresAt });
  scheduler.schedule('connection expires', expiresAt, id);
}

/** Ends the bank's permission, even if the consent is still active; the data are complete until now. */
export function invalidateConnection(world: World, connection: Connection, at: number): void {
  connections.update(world.db, { id: connection.id }, { status: 'invalid', lastUsedAt: at });
  emitOf(world, 'connection.invalidated', connection, at);
}

export function deleteConnection(world: World, connection: Connection): void {
  connections.update(world.db, { id: connection.id }, { status: 'deleted' });
  emitOf(world, 'connection.deleted', connection);
}

/** Removes a connection with all that it had brought. */
export function purgeConnection(world: World, connection: Connection, at: number): void {
  sharedAccounts.remove(world.db, { connectionId: connection.id });
  connections.remove(world.db, { id: connection.id });
  emitOf(world, 'connection.deleted', connection, at);
}

/** Records that a connection was read, which gives pending transactions new ids. */
export function completeRefresh(world: World, connection: Connection, at: number): void {
  const { id, pendingIssue } = connection;
  connections.update(world.db, { id }, { pendingIssue: pendingIssue + 1, lastUsedAt: at });
  emitOf(world, 'transactions.updated', connection, at);
}

const minuteMs = 60_000;

/**
 * Schedules the refresh between 02:00 and 04:59 of the next Sydney day, so that the morning's runs find the posted
 * lines.
 */
export function scheduleDailyRefresh({ scheduler }: World, { id }: Connection, at: number): void {
  const minute = 120 + seeded(id).whole(0, 179);
  scheduler.schedule('daily refresh', sydneyInstant(addDays(sydneyDate(at), 1)) + minute * minuteMs, id);
}

export function watchConnections(world: World): void {
  const { db, scheduler } = world;
  scheduler.on('daily refresh', (id, at) => {
    const connection = connections.find(db, { id });
    if (connection === undefined || connection.status === 'deleted') return;
    scheduleDailyRefresh(world, connection, at);
    if (connection.status === 'active') completeRefresh(world, connection, at);
  });
  scheduler.on('connection expires', (id, at) => {
    const connection = connections.find(db, { id });
    if (connection?.status === 'active' && connection.expiresAt === at) invalidateConnection(world, connection, at);
  });
}

export interface SharedAccount {
  id: string;
  connection: Connection;
  customer: Customer;
  account: BankAccount;
}

export const accountId = ({ id }: Connection, position: number): string => uuidFrom(`account ${id} ${position}`);

/** Removes an account from the user's connections to that customer. */
export function stopSharing(db: Db, { connection, account: { position } }: SharedAccount): void {
  const { userId, institution, crn } = connection;
  for (const { id } of connections.list(db, { userId, institution, crn })) {
    sharedAccounts.remove(db, { connectionId: id, position });
  }
}

/** Freezes an inactive connection's view at its last use. */
export const viewOf = ({ db, clock }: World, { status, lastUsedAt }: Connection): View => ({
  db,
  now: status === 'active' ? clock.now() : lastUsedAt,
});

export function sharedAccountsOf(db: Db, connection: Connection): SharedAccount[] {
  const customer = customerOf(connection.institution, connection.crn);
  return sharedAccounts
    .list(db, { connectionId: connection.id }, 'order by position')
    .flatMap(({ position }) => customer.accounts.filter((account) => account.position === position))
    .map((account) => ({ id: accountId(connection, account.position), connection, customer, account }));
}

/** Lists a user's shared accounts in order of connection. */
export const listSharedAccounts = (db: Db, userId: string): SharedAccount[] =>
  listConnections(db, userId)
    .filter(({ status }) => status !== 'pending')
    .flatMap((connection) => sharedAccountsOf(db, connection));
