import { findAccountByNumber } from '#bank/statements/bank-accounts.ts';
import type { Db } from '#world/database.ts';
import { isoInstant, sydneyDate } from '#world/days.ts';
import { findAcceptedAgreement, type Terms } from './agreements.ts';
import { takeArmedReturn } from './armed-returns.ts';
import { anyoneAccountId, type Contact, getContact, Metadata } from './contacts.ts';
import { returnCodes } from './failures.ts';
import { merchant } from './merchant.ts';
import { readOptions } from './options.ts';
import { unprocessable } from './problem.ts';
import { nextRef } from './refs.ts';
import { addTransaction } from './transactions.ts';

export interface PaymentRequest {
  number: number;
  ref: string;
  idempotencyKey: string;
  contactId: string;
  amount: number;
  description: string;
  metadata: Record<string, unknown>;
  status: 'approved' | 'cancelled';
  maturesAt: number;
  createdAt: number;
  creditRef: string;
  returnCode: number | null;
  isLate: number;
}

interface Row extends Omit<PaymentRequest, 'metadata'> {
  metadata: string;
}

const columns = `number, ref, idempotency_key as idempotencyKey, contact_id as contactId, amount, description, metadata,
  status, matures_at as maturesAt, created_at as createdAt, credit_ref as creditRef, return_code as returnCode, is_late as isLate`;

const toRequest = (row: Row): PaymentRequest => ({ ...row, metadata: Metadata.parse(JSON.parse(row.metadata)) });

export interface NewPaymentRequest {
  description: string;
  maturesAt: number;
  amount: number;
  contactId: string;
  metadata: Record<string, unknown>;
}

function checkTerms(
  db: Db,
  contactId: string,
  { per_payout, per_frequency }: Terms,
  amount: number,
  now: number,
): void {
  const { min_amount: least, max_amount: most } = per_payout;
  if (least !== null && amount < least)
    throw unprocessable(`Amount is below the agreement's minimum of ${least} cents`);
  if (most !== null && amount > most)
    throw unprocessable(`Amount exceeds the agreement's maximum of ${most} cents per payout`);
  const { days, max_amount: total } = per_frequency;
  if (days === null || total === null) return;
  const taken = db.find<{ sum: number }>(
    `select coalesce(sum(amount), 0) as sum from payment_requests where contact_id = ? and created_at > ? and status = 'approved'`,
    contactId,
    now - days * 86_400_000,
  );
  if ((taken?.sum ?? 0) + amount > total) {
    throw unprocessable(`Amount exceeds the agreement's maximum of ${total} cents per ${days} days`);
  }
}

/** Returns the reason of a coming return, decided at acceptance. */
function returnOf(db: Db, contact: Contact, amount: number): { code: number | null; isLate: number } {
  const armed = takeArmedReturn(db, contact, 'debit');
  if (armed !== undefined) return armed;
  if (findAccountByNumber(db, contact.branchCode, contact.accountNumber)?.customer.isEmpty)
    return { code: 6, isLate: 0 };
  const byAmount = returnCodes.find((code) => amount === 200 + code);
  return { code: byAmount !== undefined && readOptions(db).failByAmount ? byAmount : null, isLate: 0 };
}

/** Adds the request, the payer's debit and our credit. */
export function addPaymentRequest(db: Db, wanted: NewPaymentRequest, key: string, now: number): PaymentRequest {
  const contact = getContact(db, wanted.contactId);
  const agreement = findAcceptedAgreement(db, contact.id);
  if (agreement === undefined) {
    throw unprocessable(
      `Authoriser contact (${contact.id}) is not a Zepto account holder and therefore must have a valid agreement in place before a Payment Request can be issued.`,
    );
  }
  checkTerms(db, contact.id, agreement.terms, wanted.amount, now);
  const { code, isLate } = returnOf(db, contact, wanted.amount);
  const ref = nextRef(db, 'PR');
  const creditRef = mergedCredit(db, wanted) ?? addLegs(db, contact, wanted, ref, now);
  const row = db.find<Row>(
    `insert into payment_requests (ref, idempotency_key, contact_id, amount, description, metadata, status, matures_at,
       created_at, credit_ref, return_code, is_late)
     values (?, ?, ?, ?, ?, ?, 'approved', ?, ?, ?, ?, ?) returning ${columns}`,
    ref,
    key,
    contact.id,
    wanted.amount,
    wanted.description,
    JSON.stringify(wanted.metadata),
    wanted.maturesAt,
    now,
    creditRef,
    code,
    isLate,
  );
  if (row === undefined) throw new Error('The payment request was not stored.');
  return toRequest(row);
}

function addLegs(db: Db, contact: Contact, wanted: NewPaymentRequest, parentRef: string, now: number): string {
  const debitRef = nextRef(db, 'D');
  const creditRef = nextRef(db, 'C');
  const leg = {
    parentRef,
    category: 'payout',
    contactId: contact.id,
    amount: wanted.amount,
    description: wanted.description,
    metadata: JSON.stringify(wanted.metadata),
    currentChannel: 'direct_entry',
    status: 'maturing',
    maturesAt: Math.max(wanted.maturesAt, now),
    reversal: null,
  } as const;
  const channels = ['direct_entry'];
  const theirs = {
    ...leg,
    channels,
    ref: debitRef,
    pairRef: creditRef,
    side: 'theirs',
    type: 'debit',
    bankAccountId: contact.bankAccountId,
  } as const;
  const ours = {
    ...leg,
    channels,
    ref: creditRef,
    pairRef: debitRef,
    side: 'ours',
    type: 'credit',
    bankAccountId: merchant.bankAccountId,
  } as const;
  addTransaction(db, theirs, now);
  addTransaction(db, ours, now);
  return creditRef;
}

/** Finds a like, maturing debit to add to, if aggregating. */
function mergedCredit(db: Db, { contactId, description, maturesAt, amount }: NewPaymentRequest): string | undefined {
  if (!readOptions(db).aggregateDebits) return undefined;
  const like = db
    .all<{ creditRef: string; maturesAt: number }>(
      `select r.credit_ref as creditRef, r.matures_at as maturesAt from payment_requests r
       join transactions t on t.ref = r.credit_ref
       where r.contact_id = ? and r.description = ? and t.status = 'maturing'`,
      contactId,
      description,
    )
    .find((other) => sydneyDate(other.maturesAt) === sydneyDate(maturesAt));
  if (like === undefined) return undefined;
  db.run(
    'update transactions set amount = amount + ? where ref = ? or pair_ref = ?',
    amount,
    like.creditRef,
    like.creditRef,
  );
  return like.creditRef;
}

export function findPaymentRequest(db: Db, ref: string): PaymentRequest | undefined {
  const row = db.find<Row>(`select ${columns} from payment_requests where ref = ?`, ref);
  return row === undefined ? undefined : toRequest(row);
}

/** Several only when they were aggregated. */
export const listRequestsOfCredit = (db: Db, creditRef: string): PaymentRequest[] =>
  db.all<Row>(`select ${columns} from payment_requests where credit_ref = ? order by number`, creditRef).map(toRequest);

export const listPaymentRequests = (db: Db, limit: number, offset: number): PaymentRequest[] =>
  db
    .all<Row>(`select ${columns} from payment_requests order by number desc limit ? offset ?`, limit, offset)
    .map(toRequest);

export const cancelPaymentRequest = (db: Db, ref: string): number =>
  db.run("update payment_requests set status = 'cancelled' where ref = ?", ref);

export const setReturn = (db: Db, ref: string, code: number): number =>
  db.run('update payment_requests set return_code = ?, is_late = 0 where ref = ?', code, ref);

export function presentPaymentRequest(request: PaymentRequest) {
  const maturesAt = isoInstant(request.maturesAt);
  return {
    ref: request.ref,
    initiator_id: merchant.bankAccountId,
    your_bank_account_id: merchant.bankAccountId,
    authoriser_id: anyoneAccountId({ id: request.contactId }),
    authoriser_contact_id: request.contactId,
    contact_initiated: false,
    schedule_ref: null,
    status: request.status,
    status_reason: null,
    matures_at: maturesAt,
    responded_at: isoInstant(request.createdAt),
    created_at: isoInstant(request.createdAt),
    credit_ref: request.creditRef,
    payout: { amount: request.amount, description: request.description, matures_at: maturesAt },
  };
}
