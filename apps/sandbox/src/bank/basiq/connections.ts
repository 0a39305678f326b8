import { randomUUID } from 'node:crypto';
import { type BankAccount, type Customer, customerOf } from '#bank/statements/customers.ts';
import type { View } from '#bank/statements/ledger.ts';
import type { Db } from '#world/database.ts';
import { uuidFrom } from '#world/seeded.ts';
import type { World } from '#world/world.ts';
import { notFound } from './problem.ts';

/** Deleted connections keep data; purged or revoked ones are removed. */
export type ConnectionStatus = 'pending' | 'active' | 'invalid' | 'deleted';

export interface Connection {
  id: string;
  userId: string;
  institution: string;
  crn: string;
  status: ConnectionStatus;
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number;
  /** Goes up with each refresh, giving pending transactions new ids. */
  pendingIssue: number;
  /** Goes up when the bank re-issues what it has posted under new ids, which only /control asks for. */
  postedIssue: number;
}

const columns = `id, user_id as userId, institution, crn, status, created_at as createdAt, expires_at as expiresAt,
  last_used_at as lastUsedAt, pending_issue as pendingIssue, posted_issue as postedIssue`;

export const listConnections = (db: Db, userId: string): Connection[] =>
  db.all<Connection>(`select ${columns} from connections where user_id = ? order by created_at, id`, userId);

export const listLiveConnections = (db: Db, userId: string): Connection[] =>
  listConnections(db, userId).filter(({ status }) => status !== 'deleted');

export const listConnectionsOf = (db: Db, { institution, crn }: Customer): Connection[] =>
  db.all<Connection>(
    `select ${columns} from connections where institution = ? and crn = ? and status = 'active' order by created_at, id`,
    institution,
    crn,
  );

export const findConnection = (db: Db, id: string): Connection | undefined =>
  db.find<Connection>(`select ${columns} from connections where id = ?`, id);

export function getConnection(db: Db, userId: string, id: string): Connection {
  const connection = findConnection(db, id);
  if (connection?.userId !== userId || connection.status === 'deleted') {
    throw notFound('Requested connection does not exist.');
  }
  return connection;
}

export interface NewConnection {
  userId: string;
  institution: string;
  crn: string;
  expiresAt: number;
  positions: number[];
}

/** Connects a customer of a bank. Each time is a connection of its own, which shows its accounts under ids of its own. */
export function connect(db: Db, wanted: NewConnection, at: number): Connection {
  const id = randomUUID();
  db.run(
    `insert into connections (id, user_id, institution, crn, status, created_at, expires_at, last_used_at)
     values (?, ?, ?, ?, 'pending', ?, ?, ?)`,
    id,
    wanted.userId,
    wanted.institution,
    wanted.crn,
    at,
    wanted.expiresAt,
    at,
  );
  for (const position of wanted.positions) {
    db.run('insert into shared_accounts (connection_id, position) values (?, ?)', id, position);
  }
  return getConnection(db, wanted.userId, id);
}

export const setConnectionStatus = (db: Db, id: string, status: ConnectionStatus): number =>
  db.run('update connections set status = ? where id = ?', status, id);

/** Never came about: there is nothing that it shares. */
export function failConnection(db: Db, id: string): void {
  setConnectionStatus(db, id, 'invalid');
  db.run('delete from shared_accounts where connection_id = ?', id);
}

/** Sets the end of the bank's permission for a connection. */
export function permitUntil({ db, agenda }: World, id: string, expiresAt: number): void {
  db.run('update connections set expires_at = ? where id = ?', expiresAt, id);
  agenda.schedule('connection expires', expiresAt, id);
}

/** Ends a connection's bank data, which are complete until now. */
export const endPermission = (db: Db, id: string, at: number): number =>
  db.run("update connections set status = 'invalid', last_used_at = ? where id = ?", at, id);

export const noteRefresh = (db: Db, id: string, at: number): number =>
  db.run('update connections set pending_issue = pending_issue + 1, last_used_at = ? where id = ?', at, id);

export const noteAskedRefresh = (db: Db, id: string, at: number): number =>
  db.run('insert into refreshes (connection_id, at) values (?, ?)', id, at);

/** Counts the refreshes asked for since; nightly ones are excluded. */
export const countAskedRefreshes = (db: Db, id: string, since: number): number =>
  db.find<{ count: number }>('select count(*) as count from refreshes where connection_id = ? and at >= ?', id, since)
    ?.count ?? 0;

export function removeConnection(db: Db, id: string): void {
  db.run('delete from shared_accounts where connection_id = ?', id);
  db.run('delete from connections where id = ?', id);
}

export interface SharedAccount {
  id: string;
  connection: Connection;
  customer: Customer;
  account: BankAccount;
}

export const accountId = ({ id }: Connection, position: number): string => uuidFrom(`account ${id} ${position}`);

/** Removes an account from the user's connections to that customer. */
export const stopSharing = (db: Db, { connection, account }: SharedAccount): number =>
  db.run(
    `delete from shared_accounts where position = ? and connection_id in (
       select id from connections where user_id = ? and institution = ? and crn = ?)`,
    account.position,
    connection.userId,
    connection.institution,
    connection.crn,
  );

/** Freezes an inactive connection's view at its last use. */
export const viewOf = ({ db, clock }: World, { status, lastUsedAt }: Connection): View => ({
  db,
  now: status === 'active' ? clock.now() : lastUsedAt,
});

/** Lists a user's shared accounts in order of connection. */
export const listSharedAccounts = (db: Db, userId: string): SharedAccount[] =>
  listConnections(db, userId)
    .filter(({ status }) => status !== 'pending')
    .flatMap((connection) => sharedAccountsOf(db, connection));

export function sharedAccountsOf(db: Db, connection: Connection): SharedAccount[] {
  const customer = customerOf(connection.institution, connection.crn);
  return db
    .all<{ position: number }>(
      'select position from shared_accounts where connection_id = ? order by position',
      connection.id,
    )
    .flatMap(({ position }) => customer.accounts.filter((account) => account.position === position))
    .map((account) => ({ id: accountId(connection, account.position), connection, customer, account }));
}
