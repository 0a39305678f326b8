import { getBank } from '#bank/statements/banks.ts';
import { bookedLines, type LedgerLine, pendingLines } from '#bank/statements/ledger.ts';
import { addDays, type IsoDate, isoInstant, sydneyDate, sydneyInstant } from '#world/days.ts';
import { uuidFrom } from '#world/seeded.ts';
import type { World } from '#world/world.ts';
import { type Connection, type SharedAccount, viewOf } from './connections.ts';
import { dollars } from './dollars.ts';
import { type Condition, holds, type Operator } from './filter.ts';

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
  line: LedgerLine;
  /** UTC; null while pending. */
  postDate: string | null;
  /** Newest first is descending order of this text. */
  order: string;
}

export const historyStart = (connection: Connection): IsoDate =>
  addDays(sydneyDate(connection.createdAt), -historyDays);

/** A posted transaction's id stays, a pending one's until refresh. */
function idOf({ id, connection }: SharedAccount, line: LedgerLine): string {
  if (line.status === 'pending') return uuidFrom(`pending ${id} ${connection.pendingIssue} ${line.key}`);
  return uuidFrom(`posted ${id} ${connection.postedIssue} ${line.key}`);
}

function postDateOf({ connection }: SharedAccount, line: LedgerLine): string | null {
  if (line.status === 'pending') return null;
  const { postDate } = getBank(connection.institution);
  return postDate === 'utc midnight' ? `${line.day}T00:00:00Z` : isoInstant(sydneyInstant(line.day));
}

/** Within its day a line keeps its place whatever else is asked for, so that a cursor stays good. */
function toTransactions(shared: SharedAccount, lines: LedgerLine[]): Transaction[] {
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

function propertyOf({ shared, line, postDate, id }: Transaction, property: string): string {
  switch (property) {
    case 'account.id':
      return shared.id;
    case 'connection.id':
      return shared.connection.id;
    case 'institution.id':
      return shared.connection.institution;
    case 'transaction.id':
      return id;
    case 'transaction.status':
      return line.status;
    case 'transaction.direction':
      return line.cents > 0 ? 'credit' : 'debit';
    case 'transaction.class':
      return line.class ?? '';
    default:
      return (postDate ?? '').slice(0, 10);
  }
}

/** A pending line has no post date; Basiq shows it when the range asked for reaches the last seven days. */
const matches = (transaction: Transaction, conditions: Condition[]): boolean =>
  conditions.every((condition) => {
    const isUndated = condition.property === 'transaction.postDate' && transaction.postDate === null;
    return isUndated || holds(condition, propertyOf(transaction, condition.property));
  });

const onAccount = (conditions: Condition[], { id, connection }: SharedAccount): boolean =>
  conditions.every((condition) => {
    if (condition.property === 'account.id') return holds(condition, id);
    if (condition.property === 'connection.id') return holds(condition, connection.id);
    return condition.property !== 'institution.id' || holds(condition, connection.institution);
  });

/** Lists these accounts' lines within the filter, newest first. */
export function findTransactions(world: World, accounts: SharedAccount[], conditions: Condition[]): Transaction[] {
  const today = sydneyDate(world.clock.now());
  const wantsPosted = !conditions.some(
    ({ property, operator, values: [value] }) =>
      property === 'transaction.status' && (operator === 'eq') !== (value === 'posted'),
  );
  const found: Transaction[] = [];
  for (const shared of accounts.filter((account) => onAccount(conditions, account))) {
    const { customer, account, connection } = shared;
    const period = periodOf(conditions, connection, today);
    const view = viewOf(world, connection);
    const posted = wantsPosted ? bookedLines(view, customer, account, period) : [];
    const showsPending = getBank(connection.institution).showsPending && period.to >= addDays(today, -7);
    const pending = showsPending ? pendingLines(view, customer, account) : [];
    const all = [...toTransactions(shared, posted), ...toTransactions(shared, pending)];
    found.push(...all.filter((transaction) => matches(transaction, conditions)));
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
    direction: line.cents > 0 ? 'credit' : 'debit',
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
