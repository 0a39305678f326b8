import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { crns, findAccountByNumber } from '#bank/statements/customers.ts';
import { type Db, table } from '#world/database.ts';
import { isoInstant, sydneyDate } from '#world/days.ts';
import type { Cents } from '#world/money.ts';
import type { World } from '#world/world.ts';
import { merchant, nextRef, readOptions, takeForcedReturn } from './account.ts';
import { type Agreement, findAcceptedAgreement } from './agreements.ts';
import {
  Amount,
  badRequest,
  Description,
  Instant,
  idempotently,
  type Metadata,
  notFound,
  OwnMetadata,
  parse,
  type Query,
  sendPage,
  unprocessable,
} from './answers.ts';
import { anyoneAccountId, type Contact, getContact } from './contacts.ts';
import {
  addLegs,
  changeStatus,
  debitFailureCode,
  getTransaction,
  notify,
  publish,
  returnCodes,
} from './transactions.ts';

export interface PaymentRequest {
  number: number;
  ref: string;
  idempotencyKey: string;
  contactId: string;
  amount: Cents;
  description: string;
  metadata: Metadata;
  status: 'approved' | 'cancelled';
  maturesAt: number;
  createdAt: number;
  creditRef: string;
  returnCode: number | null;
  isLate: number;
}

export const paymentRequests = table<PaymentRequest, 'number'>('payment_requests', ['metadata']);

export function getPaymentRequest(db: Db, ref: string): PaymentRequest {
  const request = paymentRequests.find(db, { ref });
  if (request === undefined) throw notFound('Payment request');
  return request;
}

function checkTerms(db: Db, { contactId, terms }: Agreement, amount: Cents, now: number): void {
  const { min_amount: min, max_amount: max } = terms.per_payout;
  if (min !== null && amount < min) throw unprocessable(`Amount is below the agreement's minimum of ${min} cents`);
  if (max !== null && amount > max)
    throw unprocessable(`Amount exceeds the agreement's maximum of ${max} cents per payout`);
  const { days, max_amount: maxTotal } = terms.per_frequency;
  if (days === null || maxTotal === null) return;
  const before = db.find<{ cents: Cents | null }>(
    `select sum(amount) as cents from payment_requests where contact_id = ? and created_at > ? and status = 'approved'`,
    contactId,
    now - days * 86_400_000,
  );
  if ((before?.cents ?? 0) + amount > maxTotal) {
    throw unprocessable(`Amount exceeds the agreement's maximum of ${maxTotal} cents per ${days} days`);
  }
}

/** Returns the reason of a coming return, decided at acceptance. */
function returnOf(db: Db, contact: Contact, amount: Cents): Pick<PaymentRequest, 'returnCode' | 'isLate'> {
  const forced = takeForcedReturn(db, contact, 'debit');
  if (forced !== undefined) return { returnCode: forced.code, isLate: forced.isLate };
  const account = findAccountByNumber(db, contact.branchCode, contact.accountNumber);
  if (account?.customer.crn === crns.empty) return { returnCode: 6, isLate: 0 };
  const byAmount = readOptions(db).failByAmount
    ? returnCodes.find((code) => code !== 7 && amount === 200 + code)
    : undefined;
  return { returnCode: byAmount ?? null, isLate: 0 };
}

type Wanted = Pick<PaymentRequest, 'description' | 'maturesAt' | 'amount' | 'contactId' | 'metadata'>;

/** Adds the request, the payer's debit and our credit. */
function addPaymentRequest(db: Db, wanted: Wanted, idempotencyKey: string, now: number): PaymentRequest {
  const contact = getContact(db, wanted.contactId);
  const agreement = findAcceptedAgreement(db, contact.id);
  if (agreement === undefined) {
    throw unprocessable(
      `Authoriser contact (${contact.id}) is not a Zepto account holder and therefore must have a valid agreement in place before a Payment Request can be issued.`,
    );
  }
  checkTerms(db, agreement, wanted.amount, now);
  const outcome = returnOf(db, contact, wanted.amount);
  const ref = nextRef(db, 'PR');
  const creditRef = mergedCredit(db, wanted) ?? addDebit(db, contact, wanted, ref, now);
  const made = { ref, idempotencyKey, status: 'approved' as const, createdAt: now, creditRef };
  return paymentRequests.insert(db, { ...wanted, ...made, ...outcome });
}

function addDebit(db: Db, contact: Contact, wanted: Wanted, parentRef: string, now: number): string {
  const channel = { currentChannel: 'direct_entry' };
  const debit = { ref: nextRef(db, 'D'), side: 'theirs', bankAccountId: contact.bankAccountId, ...channel } as const;
  const credit = { ref: nextRef(db, 'C'), side: 'ours', bankAccountId: merchant.bankAccountId, ...channel } as const;
  addLegs(db, { ...wanted, parentRef, channels: ['direct_entry'] }, { debit, credit }, now);
  return credit.ref;
}

/** Finds a like, maturing debit to add to, if aggregating. */
function mergedCredit(db: Db, { contactId, description, maturesAt, amount }: Wanted): string | undefined {
  if (!readOptions(db).aggregateDebits) return undefined;
  const like = paymentRequests
    .list(db, { contactId, description })
    .filter((other) => sydneyDate(other.maturesAt) === sydneyDate(maturesAt))
    .find(({ creditRef }) => getTransaction(db, creditRef).status === 'maturing');
  if (like === undefined) return undefined;
  db.run('update transactions set amount = amount + ?1 where ?2 in (ref, pair_ref)', amount, like.creditRef);
  return like.creditRef;
}

/** Withdraws a request that has not reached the banks. */
function withdraw(world: World, ref: string, at: number): void {
  const { db } = world;
  const credit = getTransaction(db, getPaymentRequest(db, ref).creditRef);
  if (credit.status !== 'maturing') throw badRequest('Payment request can no longer be cancelled');
  paymentRequests.update(db, { ref }, { status: 'cancelled' });
  const failure = { failureCode: debitFailureCode(51) };
  for (const leg of [credit.ref, credit.pairRef]) changeStatus(db, leg, 'voided', at, failure);
  notify(world, 'creditor_debit.voided', [credit.pairRef], at);
  notify(world, 'credit.voided', [credit.ref], at);
}

function present(request: PaymentRequest) {
  const maturesAt = isoInstant(request.maturesAt);
  return {
    ref: request.ref,
    initiator_id: merchant.bankAccountId,
    your_bank_account_id: merchant.bankAccountId,
    authoriser_id: anyoneAccountId(request.contactId),
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

const presentWhole = (request: PaymentRequest) => ({ ...present(request), metadata: request.metadata });

function announce(world: World, request: PaymentRequest, at: number): void {
  if (world.outbox.hasSubscriber('zepto', 'payment_request.added')) {
    publish(world, 'payment_request.added', [presentWhole(request)], at);
  }
  const { ref, pairRef } = getTransaction(world.db, request.creditRef);
  notify(world, 'creditor_debit.scheduled', [pairRef], at);
  notify(world, 'credit.scheduled', [ref], at);
}

const NewRequest = z.object({
  description: Description,
  matures_at: Instant,
  amount: Amount,
  authoriser_contact_id: z.string(),
  your_bank_account_id: z.string().optional(),
  metadata: OwnMetadata,
});

interface Path {
  Params: { ref: string };
  Querystring: Query;
}

export function paymentRequestRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, scheduler, origin } = world;

  app.post('/payment_requests', async ({ headers, body }) => {
    const now = clock.now();
    const request = idempotently(db, headers['idempotency-key'], now, (key) => {
      const wanted = parse(NewRequest, body);
      const { matures_at: maturesAt, authoriser_contact_id: contactId, your_bank_account_id: account } = wanted;
      if (account !== undefined && account !== merchant.bankAccountId) {
        throw unprocessable('Your bank account not found');
      }
      const { description, amount, metadata } = wanted;
      const made = addPaymentRequest(db, { description, amount, metadata, maturesAt, contactId }, key, now);
      announce(world, made, now);
      scheduler.schedule('debits mature', Math.max(maturesAt, now));
      return made;
    });
    await scheduler.runDue();
    return { data: presentWhole(request) };
  });

  app.get<Path>('/payment_requests/collections', async (request, reply) => {
    const read = (limit: number, offset: number) =>
      paymentRequests.select(db, 'order by number desc limit ? offset ?', limit, offset);
    return sendPage(request, reply, origin, read, present);
  });

  app.get<Path>('/payment_requests/:ref', async ({ params }) => ({
    data: presentWhole(getPaymentRequest(db, params.ref)),
  }));

  app.delete<Path>('/payment_requests/:ref', async ({ params }, reply) => {
    db.atomically(() => withdraw(world, params.ref, clock.now()));
    return reply.status(204).send();
  });
}
