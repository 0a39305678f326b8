import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Db, table, type Value } from '#world/database.ts';
import { isoInstant, parseInstant } from '#world/days.ts';
import type { Cents } from '#world/money.ts';
import type { World } from '#world/world.ts';
import { merchant } from './account.ts';
import { badRequest, type Metadata, type Query, sendPage } from './answers.ts';
import { findAnyContact } from './contacts.ts';

type TransactionStatus = 'maturing' | 'matured' | 'clearing' | 'cleared' | 'rejected' | 'returned' | 'voided';

/** One leg of a movement of money: a debit from one party or a credit to the other. */
export interface Transaction {
  number: number;
  ref: string;
  pairRef: string;
  parentRef: string | null;
  /** The leg's owner: merchant, or other party (with both_parties only). */
  side: 'ours' | 'theirs';
  type: 'debit' | 'credit';
  category: 'payout' | 'payout_reversal';
  contactId: string;
  amount: Cents;
  description: string | null;
  metadata: Metadata;
  channels: string[];
  currentChannel: string;
  bankAccountId: string;
  bankRef: string | null;
  status: TransactionStatus;
  statusChangedAt: number;
  createdAt: number;
  maturesAt: number;
  clearedAt: number | null;
  clearsAt: number | null;
  failureCode: string | null;
  reversal: object | null;
}

type Generated = 'number' | 'bankRef' | 'clearedAt' | 'clearsAt' | 'failureCode';
export const transactions = table<Transaction, Generated>('transactions', ['metadata', 'channels', 'reversal']);

/** Adds a leg that matures at a time. */
export const addLeg = (
  db: Db,
  leg: Omit<Transaction, Generated | 'status' | 'statusChangedAt' | 'createdAt'>,
  at: number,
): Transaction => transactions.insert(db, { ...leg, status: 'maturing', statusChangedAt: at, createdAt: at });

interface Leg {
  ref: string;
  side: Transaction['side'];
  bankAccountId: string;
  currentChannel: string;
}

/** Adds both legs of a movement: the debit of one party and the credit of the other. */
export function addLegs(
  db: Db,
  movement: Pick<
    Transaction,
    'parentRef' | 'contactId' | 'amount' | 'description' | 'metadata' | 'channels' | 'maturesAt'
  >,
  { debit, credit }: { debit: Leg; credit: Leg },
  at: number,
): void {
  const both = {
    ...movement,
    maturesAt: Math.max(movement.maturesAt, at),
    category: 'payout',
    reversal: null,
  } as const;
  addLeg(db, { ...both, ...debit, pairRef: credit.ref, type: 'debit' }, at);
  addLeg(db, { ...both, ...credit, pairRef: debit.ref, type: 'credit' }, at);
}

export function getTransaction(db: Db, ref: string): Transaction {
  const transaction = transactions.find(db, { ref });
  if (transaction === undefined) throw new Error(`There is no transaction ${ref}.`);
  return transaction;
}

/** Returns the bank's reference, which a leg has once the banks know of it. */
const bankRefOf = (ref: string): string => `${ref.charAt(0)}T.${ref.slice(2)}`;

export function changeStatus(
  db: Db,
  ref: string,
  status: TransactionStatus,
  at: number,
  more: Partial<Pick<Transaction, 'clearsAt' | 'failureCode'>> = {},
): void {
  const cleared = status === 'cleared' ? { clearedAt: at } : {};
  transactions.update(db, { ref }, { status, statusChangedAt: at, bankRef: bankRefOf(ref), ...cleared, ...more });
}

/** All that banks have. The provider describes no failure of code 7, but passes on what a bank sends. */
export const returnCodes = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

const failures: Record<string, [title: string, detail: string]> = {
  1: ['Invalid BSB Number', 'The BSB is not valid or is no longer active.'],
  2: ['Payment Stopped', 'The target institution has blocked transactions to this account. Please refer to customer.'],
  3: ['Account Closed', 'The target account is closed.'],
  4: ['Customer Deceased', "The target account's owner has been listed as deceased."],
  5: ['Account Not Found', 'The target account number cannot be found by the financial institution.'],
  6: [
    'Refer to Customer',
    'Usually means insufficient funds or that the target account has breached their transaction limits.',
  ],
  7: ['Account Deleted', 'The target account has been deleted.'],
  8: ['Invalid UserID', 'Please contact Zepto for further information.'],
  9: [
    'Technically Invalid',
    'Usually means that the account is not debitable or that the reason for failure can not be categorised within the standard BECS return codes. Please refer to customer.',
  ],
  51: ['Voided By Initiator', 'The transaction was voided by its initiator.'],
};

export const debitFailureCode = (code: number): string => `E${200 + code}`;
export const creditFailureCode = (code: number): string => `E${100 + code}`;

export function describeFailure(code: string): { code: string; title: string; detail: string } {
  const [title = '', detail = ''] = failures[String(Number(code.slice(2)))] ?? [];
  return { code, title, detail };
}

/** Unknown branches are rejected; every other reason is a return. */
export const statusOfReturn = (code: number): 'rejected' | 'returned' => (code === 1 ? 'rejected' : 'returned');

function present(db: Db, transaction: Transaction) {
  const { failureCode, reversal } = transaction;
  const failure = failureCode === null ? undefined : describeFailure(failureCode);
  return {
    ref: transaction.ref,
    parent_ref: transaction.parentRef,
    type: transaction.type,
    category: transaction.category,
    created_at: isoInstant(transaction.createdAt),
    matures_at: isoInstant(transaction.maturesAt),
    matured_at: isoInstant(transaction.maturesAt),
    cleared_at: transaction.clearedAt === null ? null : isoInstant(transaction.clearedAt),
    bank_ref: transaction.bankRef,
    status: transaction.status,
    status_changed_at: isoInstant(transaction.statusChangedAt),
    ...(failure === undefined ? {} : { failure, failure_details: failure.detail }),
    party_contact_id: transaction.contactId,
    party_name: findAnyContact(db, transaction.contactId).name,
    party_nickname: null,
    party_bank_ref: null,
    description: transaction.description,
    amount: transaction.amount,
    bank_account_id: transaction.bankAccountId,
    channels: transaction.channels,
    current_channel: transaction.currentChannel,
    ...(reversal === null ? {} : { reversal_details: reversal }),
    metadata: transaction.metadata,
  };
}

/** Sends a notification to those who subscribed to its type. */
export function publish(world: World, type: string, data: object[], at: number): void {
  const who = {
    account_id: merchant.accountId,
    account_type: 'Account',
    bank_account_id: merchant.bankAccountId,
    bank_account_type: 'BankAccount',
  };
  world.outbox.publish('zepto', type, randomUUID(), { event: { type, at: isoInstant(at), who }, data }, at);
}

const perMessage = 50;

/** Notifies of transactions with one change, several in a message. */
export function notify(world: World, type: string, refs: string[], at: number): void {
  if (!world.outbox.hasSubscriber('zepto', type)) return;
  for (let start = 0; start < refs.length; start += perMessage) {
    const some = refs.slice(start, start + perMessage);
    const data = some.map((ref) => present(world.db, getTransaction(world.db, ref)));
    publish(world, type, data, at);
  }
}

const exact: Record<string, string> = {
  ref: 'ref',
  parent_ref: 'parent_ref',
  bank_ref: 'bank_ref',
  party_contact_id: 'contact_id',
  description: 'description',
};

const dates: Record<string, string> = {
  created_date: 'created_at',
  matured_date: 'matures_at',
  cleared_date: 'cleared_at',
  status_changed_date: 'status_changed_at',
};

const listOf = (value: unknown): string[] =>
  [value ?? []]
    .flat()
    .flatMap((each) => String(each).split(','))
    .filter((each) => each !== '');

const monthMs = 30 * 86_400_000;

/** Translates a query; without `min_created_date` it finds 30 days' worth. */
function conditionsOf(query: Query, now: number): [condition: string, values: Value[]][] {
  const found: [string, Value[]][] = [];
  if (String(query.both_parties) !== 'true') found.push(["side = 'ours'", []]);
  for (const [parameter, column] of Object.entries(exact)) {
    if (query[parameter] !== undefined) found.push([`${column} = ?`, [String(query[parameter])]]);
  }
  for (const column of ['status', 'category', 'type']) {
    const wanted = listOf(query[column] ?? query[`${column}[]`]);
    if (wanted.length > 0) found.push([`${column} in (${wanted.map(() => '?').join(', ')})`, wanted]);
  }
  for (const [bound, comparison] of [
    ['min', '>='],
    ['max', '<='],
  ]) {
    const amount = query[`${bound}_amount`];
    if (amount !== undefined) found.push([`amount ${comparison} ?`, [Number(amount)]]);
    for (const [parameter, column] of Object.entries(dates)) {
      const text = query[`${bound}_${parameter}`];
      if (text === undefined) continue;
      const instant = parseInstant(String(text));
      if (instant === undefined) throw badRequest(`${bound}_${parameter} is invalid`);
      found.push([`${column} ${comparison} ?`, [instant]]);
    }
  }
  if (query.min_created_date === undefined) found.push(['created_at >= ?', [now - monthMs]]);
  return found;
}

export function transactionRoutes(app: FastifyInstance, { db, clock, origin }: World): void {
  app.get<{ Querystring: Query }>('/transactions', async (request, reply) => {
    const conditions = conditionsOf(request.query, clock.now());
    const where = conditions.map(([condition]) => condition).join(' and ') || 'true';
    const values = conditions.flatMap(([, given]) => given);
    // The page is found in an index alone; only its own rows are then read in full.
    const numbers = `select number from transactions where ${where} order by number desc limit ? offset ?`;
    const read = (limit: number, offset: number) =>
      transactions.select(db, `where number in (${numbers}) order by number desc`, ...values, limit, offset);
    return sendPage(request, reply, origin, read, (transaction) => present(db, transaction));
  });
}
