import type { World } from '#world/world.ts';
import { debitClearsAt, lateReturnAt } from './calendar.ts';
import { type Contact, findAnyContact } from './contacts.ts';
import { debitFailureCode, statusOfReturn } from './failures.ts';
import { notify } from './notices.ts';
import {
  cancelPaymentRequest,
  findPaymentRequest,
  listRequestsOfCredit,
  type PaymentRequest,
  setReturn,
} from './payment-requests.ts';
import { badRequest, notFound } from './problem.ts';
import { showOnStatement } from './statement-lines.ts';
import { changeTransaction, getTransaction, type Transaction, transactionColumns } from './transactions.ts';

const atOnce = 2_000;

/** Moves debits on: they mature, are with the banks for two banking days, and clear or come back. */
export function watchDebits(world: World): void {
  const { agenda } = world;
  agenda.when('debits mature', (_payload, at) => mature(world, at));
  agenda.when('debits clear', (_payload, at) => settle(world, at));
  agenda.when('late return', (ref, at) => {
    const request = findPaymentRequest(world.db, ref);
    if (request?.returnCode != null) comeBack(world, request, request.returnCode, at);
  });
}

export const scheduleDebit = ({ agenda }: World, maturesAt: number): void =>
  agenda.schedule('debits mature', maturesAt);

function mature(world: World, at: number): void {
  const { db, agenda } = world;
  const clearsAt = debitClearsAt(at);
  const due = db.all<{ ref: string; pairRef: string }>(
    `update transactions set status = 'clearing', status_changed_at = ?1, clears_at = ?2, bank_ref = 'DT.' || substr(ref, 3)
     where status = 'maturing' and matures_at <= ?1 and side = 'theirs' and type = 'debit' returning ref, pair_ref as pairRef`,
    at,
    clearsAt,
  );
  if (due.length === 0) return;
  for (const { pairRef } of due) changeTransaction(db, pairRef, { status: 'matured' }, at);
  const debits = due.map(({ ref }) => ref);
  for (const step of ['matured', 'processing', 'clearing']) notify(world, `creditor_debit.${step}`, debits, at);
  agenda.schedule('debits clear', clearsAt);
}

function settle(world: World, at: number): void {
  const { db, agenda } = world;
  const due = db.all<Transaction>(
    `select ${transactionColumns} from transactions where status = 'clearing' and clears_at <= ? and side = 'theirs' and type = 'debit'
     order by number limit ?`,
    at,
    atOnce,
  );
  const cleared: Transaction[] = [];
  for (const debit of due) {
    const requests = listRequestsOfCredit(db, debit.pairRef);
    const returned = requests.find(({ returnCode, isLate }) => returnCode !== null && isLate === 0);
    if (returned?.returnCode != null) comeBack(world, returned, returned.returnCode, at);
    else {
      clear(world, debit, requests, at);
      cleared.push(debit);
    }
  }
  notify(
    world,
    'creditor_debit.cleared',
    cleared.map(({ ref }) => ref),
    at,
  );
  notify(
    world,
    'credit.cleared',
    cleared.map(({ pairRef }) => pairRef),
    at,
  );
  if (due.length === atOnce) agenda.schedule('debits clear', at);
}

const payerOf = (world: World, { contactId }: { contactId: string }): Contact => findAnyContact(world.db, contactId);

function clear(world: World, debit: Transaction, requests: PaymentRequest[], at: number): void {
  const { db, agenda } = world;
  changeTransaction(db, debit.ref, { status: 'cleared', clearedAt: at }, at);
  changeTransaction(db, debit.pairRef, { status: 'cleared', clearedAt: at }, at);
  const [first] = requests;
  if (first === undefined) return;
  const movement = {
    kind: 'debit',
    amount: debit.amount,
    description: first.description,
    metadata: first.metadata,
  } as const;
  showOnStatement(world, payerOf(world, first), movement, at);
  const late = requests.find(({ isLate }) => isLate === 1);
  if (late !== undefined) agenda.schedule('late return', lateReturnAt(at), late.ref);
}

/** Sends a debit back from its bank, cleared or not. */
function comeBack(world: World, request: PaymentRequest, code: number, at: number): void {
  const { db } = world;
  const credit = getTransaction(db, request.creditRef);
  const failureCode = debitFailureCode(code);
  const status = statusOfReturn(code);
  const wasCleared = credit.status === 'cleared';
  changeTransaction(db, credit.pairRef, { status, failureCode }, at);
  changeTransaction(db, credit.ref, { status: wasCleared ? 'returned' : 'voided', failureCode }, at);
  if (wasCleared) {
    const { description, metadata } = request;
    showOnStatement(
      world,
      payerOf(world, request),
      { kind: 'reversal', amount: credit.amount, description, metadata },
      at,
    );
  }
  notify(world, `creditor_debit.${status}`, [credit.pairRef], at);
  notify(world, wasCleared ? 'credit.returned' : 'credit.voided', [credit.ref], at);
}

/** Returns a named debit now, whatever its state. */
export function returnNow(world: World, ref: string, code: number, at: number): void {
  const request = findPaymentRequest(world.db, ref);
  if (request === undefined) throw notFound('Payment request');
  setReturn(world.db, ref, code);
  comeBack(world, request, code, at);
}

/** Withdraws a request that has not reached the banks. */
export function withdraw(world: World, ref: string, at: number): void {
  const { db } = world;
  const request = findPaymentRequest(db, ref);
  if (request === undefined) throw notFound('Payment request');
  const credit = getTransaction(db, request.creditRef);
  if (credit.status !== 'maturing') throw badRequest('Payment request can no longer be cancelled');
  cancelPaymentRequest(db, ref);
  const failureCode = debitFailureCode(51);
  for (const leg of [credit.ref, credit.pairRef]) changeTransaction(db, leg, { status: 'voided', failureCode }, at);
  notify(world, 'creditor_debit.voided', [credit.pairRef], at);
  notify(world, 'credit.voided', [credit.ref], at);
}
