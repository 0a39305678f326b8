import type { Db, Value } from '#world/database.ts';
import { isoInstant } from '#world/days.ts';
import { describeFailure } from './failures.ts';

export type TransactionStatus =
  | 'maturing'
  | 'matured'
  | 'preprocessing'
  | 'processing'
  | 'clearing'
  | 'cleared'
  | 'rejected'
  | 'returned'
  | 'voided'
  | 'pending_verification'
  | 'paused'
  | 'channel_switched';

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
  amount: number;
  description: string | null;
  metadata: string;
  channels: string;
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
  reversal: string | null;
}

export const transactionColumns = `number, ref, pair_ref as pairRef, parent_ref as parentRef, side, type, category,
  contact_id as contactId, amount, description, metadata, channels, current_channel as currentChannel,
  bank_account_id as bankAccountId, bank_ref as bankRef, status, status_changed_at as statusChangedAt,
  created_at as createdAt, matures_at as maturesAt, cleared_at as clearedAt, clears_at as clearsAt,
  failure_code as failureCode, reversal`;

export type NewTransaction = Pick<
  Transaction,
  | 'pairRef'
  | 'ref'
  | 'parentRef'
  | 'side'
  | 'type'
  | 'category'
  | 'contactId'
  | 'amount'
  | 'description'
  | 'metadata'
  | 'currentChannel'
  | 'bankAccountId'
  | 'status'
  | 'maturesAt'
  | 'reversal'
> & { channels: string[] };

export function addTransaction(db: Db, transaction: NewTransaction, at: number): void {
  const { ref, pairRef, parentRef, side, type, category, contactId, amount, description, status, maturesAt } =
    transaction;
  db.run(
    `insert into transactions (ref, pair_ref, parent_ref, side, type, category, contact_id, amount, description, metadata,
       channels, current_channel, bank_account_id, status, status_changed_at, created_at, matures_at, reversal)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ref,
    pairRef,
    parentRef,
    side,
    type,
    category,
    contactId,
    amount,
    description,
    transaction.metadata,
    JSON.stringify(transaction.channels),
    transaction.currentChannel,
    transaction.bankAccountId,
    status,
    at,
    at,
    maturesAt,
    transaction.reversal,
  );
}

export function getTransaction(db: Db, ref: string): Transaction {
  const row = db.find<Transaction>(`select ${transactionColumns} from transactions where ref = ?`, ref);
  if (row === undefined) throw new Error(`There is no transaction ${ref}.`);
  return row;
}

interface Change {
  status: TransactionStatus;
  clearedAt?: number;
  clearsAt?: number;
  failureCode?: string;
}

export function changeTransaction(
  db: Db,
  ref: string,
  { status, clearedAt, clearsAt, failureCode }: Change,
  at: number,
): void {
  const values: Value[] = [status, at, clearedAt ?? null, clearsAt ?? null, failureCode ?? null, ref];
  db.run(
    `update transactions set status = ?, status_changed_at = ?, cleared_at = coalesce(?, cleared_at),
       clears_at = coalesce(?, clears_at), failure_code = coalesce(?, failure_code),
       bank_ref = coalesce(bank_ref, case type when 'debit' then 'DT.' else 'CT.' end || substr(ref, 3)) where ref = ?`,
    ...values,
  );
}

interface Named {
  partyName: string;
}

export function presentTransaction(transaction: Transaction & Named) {
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
    party_name: transaction.partyName,
    party_nickname: null,
    party_bank_ref: null,
    description: transaction.description,
    amount: transaction.amount,
    bank_account_id: transaction.bankAccountId,
    channels: JSON.parse(transaction.channels),
    current_channel: transaction.currentChannel,
    ...(reversal === null ? {} : { reversal_details: JSON.parse(reversal) }),
    metadata: JSON.parse(transaction.metadata),
  };
}
