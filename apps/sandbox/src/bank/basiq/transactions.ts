import { getBank } from '#bank/statements/banks.ts';
import { pendingLines, postedLines, type StatementLine } from '#bank/statements/ledger.ts';
import { addDays, type IsoDate, isoInstant, sydneyDate, sydneyInstant } from '#world/days.ts';
import { dollars } from '#world/money.ts';
import { uuidFrom } from '#world/seeded.ts';
import type { World } from '#world/world.ts';
import { type Connection, type SharedAccount, viewOf } from './connections.ts';
import { applyFilter, type Condition, holds, type Operator } from './filter.ts';

const historyDays = 730;
const equality = ['eq', 'ne'] as const;

export const transactionFilter: Record<string, readonly Operator[]> = {
  'account.id': equality,
  'connection.id': equality,
  'institution.id': equality,
  'transaction.id': equality,
  'transaction.status': equality,
  'transaction.direction': equality,
  'transaction.class': equality,
  'transaction.postDate': ['eq', 'gt', 'gteq', 'lt', 'lteq', 'bt'],
};

export interface Transaction {
  id: string;
  shared: SharedAccount;
  line: StatementLine;
  /** UTC; null while pending. */
  postDate: string | null;
  /** Newest first is descending order of this text. */
  order: string;
}

export const historyStart = (connection: Connection): IsoDate =>
  addDays(sydneyDate(connection.createdAt), -historyDays);

/** A posted transaction's id stays, a pending one's until refresh. */
function idOf({ id, connection }: SharedAccount, line: StatementLine): string {
  if (line.status === 'pending') return uuidFrom(`pending ${id} ${connection.pendingIssue} ${line.key}`);
  return uuidFrom(`posted ${id} ${connection.postedIssue} ${line.key}`);
}

function postDateOf({ connection }: SharedAccount, line: StatementLine): string | null {
  if (line.status === 'pending') return null;
  const { postDate } = getBank(connection.institution);
  return postDate === 'utc midnight' ? `${line.day}T00:00:00Z` : isoInstant(sydneyInstant(line.day));
}

/** A line keeps its place within its day in every query, so that a cursor stays valid. */
function toTransactions(shared: SharedAccount, lines: StatementLine[]): Transaction[] {
  let day = '';
  let place = 0;
  return lines.map((line) => {
    const listedOn = line.status === 'pending' ? line.purchasedOn : line.day;
    place = listedOn === day ? place + 1 : 0;
    day = listedOn;
    const order = `${day} ${line.status} ${String(place).padStart(4, '0')} ${shared.id}`;
    return { id: idOf(shared, line), shared, line, postDate: postDateOf(shared, line), order };
  });
}

/** The days a filter on the post date can match, a day wider on both sides because it is compared in UTC. */
function periodOf(conditions: Condition[], connection: Connection, today: IsoDate): { from: IsoDate; to: IsoDate } {
  let from = historyStart(connection);
  let to = today;
  for (const { property, operator, values } of conditions) {
    if (property !== 'transaction.postDate') continue;
    const [first = '', second = first] = values;
    const least = operator.startsWith('lt') ? undefined : addDays(first.slice(0, 10), -1);
    const most = operator.startsWith('gt') ? undefined : addDays(second.slice(0, 10), 2);
    if (least !== undefined && least > from) from = least;
    if (most !== undefined && most < to) to = most;
  }
  return { from, to };
}

const accountProperties: Record<string, (shared: SharedAccount) => string> = {
  'account.id': ({ id }) => id,
  'connection.id': ({ connection }) => connection.id,
  'institution.id': ({ connection }) => connection.institution,
};

export const filterAccounts = (accounts: SharedAccount[], filter: string | undefined): SharedAccount[] =>
  applyFilter(accounts, filter, equality, accountProperties);

const directionOf = ({ cents }: StatementLine): 'credit' | 'debit' => (cents > 0 ? 'credit' : 'debit');

const properties: Record<string, (transaction: Transaction) => string> = {
  'transaction.id': ({ id }) => id,
  'transaction.status': ({ line }) => line.status,
  'transaction.direction': ({ line }) => directionOf(line),
  'transaction.class': ({ line }) => line.class ?? '',
  'transaction.postDate': ({ postDate }) => (postDate ?? '').slice(0, 10),
};

/** A pending line has no post date; Basiq shows it when the range asked for reaches the last seven days. */
const matches = (transaction: Transaction, conditions: Condition[]): boolean =>
  conditions.every((condition) => {
    const { property } = condition;
    if (property === 'transaction.postDate' && transaction.postDate === null) return true;
    return holds(condition, properties[property]?.(transaction) ?? '');
  });

const isWanted = (shared: SharedAccount, conditions: Condition[]): boolean =>
  conditions.every((condition) => {
    const read = accountProperties[condition.property];
    return read === undefined || holds(condition, read(shared));
  });

/** Lists these accounts' lines within the filter, newest first. */
export function findTransactions(world: World, accounts: SharedAccount[], conditions: Condition[]): Transaction[] {
  const today = sydneyDate(world.clock.now());
  const wantsPosted = !conditions.some(
    ({ property, operator, values: [value] }) =>
      property === 'transaction.status' && (operator === 'eq') !== (value === 'posted'),
  );
  const found: Transaction[] = [];
  for (const shared of accounts.filter((account) => isWanted(account, conditions))) {
    const { customer, account, connection } = shared;
    const period = periodOf(conditions, connection, today);
    const view = viewOf(world, connection);
    const posted = wantsPosted ? postedLines(view, customer, account, period) : [];
    const showsPending = getBank(connection.institution).showsPending && period.to >= addDays(today, -7);
    const pending = showsPending ? pendingLines(view, customer, account) : [];
    const all = [...toTransactions(shared, posted), ...toTransactions(shared, pending)];
    const others = conditions.filter(({ property }) => accountProperties[property] === undefined);
    found.push(...all.filter((transaction) => matches(transaction, others)));
  }
  return found.sort((one, other) => (one.order < other.order ? 1 : -1));
}

export function presentTransaction(world: World, { id, shared, line, postDate }: Transaction) {
  const { connection } = shared;
  const user = `${world.origin}/basiq/users/${connection.userId}`;
  const knowsPurchase = line.status === 'pending' || getBank(connection.institution).transactionDate === 'purchase';
  return {
    type: 'transaction',
    id,
    status: line.status,
    description: line.description,
    reference: '',
    amount: dollars(line.cents),
    currency: line.currency,
    account: shared.id,
    balance: line.balanceCents === undefined ? '' : dollars(line.balanceCents),
    direction: directionOf(line),
    ...(line.class === undefined ? {} : { class: line.class }),
    institution: connection.institution,
    connection: connection.id,
    transactionDate: knowsPurchase ? isoInstant(sydneyInstant(line.purchasedOn)) : '',
    postDate,
    subClass: line.subClass ?? { code: '', title: '' },
    ...(line.details === undefined ? {} : { paymentDetails: line.details }),
    enrich: null,
    links: {
      self: `${user}/transactions/${id}`,
      account: `${user}/accounts/${shared.id}`,
      institution: `${world.origin}/basiq/institutions/${connection.institution}`,
      connection: null,
    },
  };
}
