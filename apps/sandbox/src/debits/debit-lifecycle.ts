import type { World } from '#world/world.ts';
import { debitClearsAt, lateReturnAt, showOnStatement } from './bank-side.ts';
import { getPaymentRequest, type PaymentRequest, paymentRequests } from './payment-requests.ts';
import {
  changeStatus,
  debitFailureCode,
  getTransaction,
  notify,
  statusOfReturn,
  type Transaction,
  transactions,
} from './transactions.ts';

const batchSize = 2_000;

/** Moves debits on: they mature, are with the banks for two banking days, and clear or come back. */
export function watchDebits(world: World): void {
  const { db, scheduler } = world;
  scheduler.on('debits mature', (_payload, at) => mature(world, at));
  scheduler.on('debits clear', (_payload, at) => clearOrReturn(world, at));
  scheduler.on('late return', (ref, at) => {
    const request = paymentRequests.find(db, { ref });
    if (request?.returnCode != null) returnDebit(world, request, request.returnCode, at);
  });
}

function mature(world: World, at: number): void {
  const { db, scheduler } = world;
  const clearsAt = debitClearsAt(at);
  const due = transactions.select(
    db,
    `where status = 'maturing' and matures_at <= ? and side = 'theirs' and type = 'debit'`,
    at,
  );
  if (due.length === 0) return;
  for (const { ref, pairRef } of due) {
    changeStatus(db, ref, 'clearing', at, { clearsAt });
    changeStatus(db, pairRef, 'matured', at);
  }
  const debits = due.map(({ ref }) => ref);
  for (const step of ['matured', 'processing', 'clearing']) notify(world, `creditor_debit.${step}`, debits, at);
  scheduler.schedule('debits clear', clearsAt);
}

function clearOrReturn(world: World, at: number): void {
  const { db, scheduler } = world;
  const due = transactions.select(
    db,
    `where status = 'clearing' and clears_at <= ? and side = 'theirs' and type = 'debit' order by number limit ?`,
    at,
    batchSize,
  );
  const cleared: Transaction[] = [];
  for (const debit of due) {
    // Several only when they were aggregated.
    const requests = paymentRequests.list(db, { creditRef: debit.pairRef }, 'order by number');
    const returned = requests.find(({ returnCode, isLate }) => returnCode !== null && isLate === 0);
    if (returned?.returnCode != null) returnDebit(world, returned, returned.returnCode, at);
    else {
      clear(world, debit, requests, at);
      cleared.push(debit);
    }
  }
  const [debits, credits] = [cleared.map(({ ref }) => ref), cleared.map(({ pairRef }) => pairRef)];
  notify(world, 'creditor_debit.cleared', debits, at);
  notify(world, 'credit.cleared', credits, at);
  if (due.length === batchSize) scheduler.schedule('debits clear', at);
}

function clear(world: World, debit: Transaction, requests: PaymentRequest[], at: number): void {
  const { db, scheduler } = world;
  for (const leg of [debit.ref, debit.pairRef]) changeStatus(db, leg, 'cleared', at);
  const [first] = requests;
  if (first === undefined) return;
  showOnStatement(world, { ...first, kind: 'debit', amount: debit.amount }, at);
  const late = requests.find(({ isLate }) => isLate === 1);
  if (late !== undefined) scheduler.schedule('late return', lateReturnAt(at), late.ref);
}

/** Sends a debit back from its bank, cleared or not. */
function returnDebit(world: World, request: PaymentRequest, code: number, at: number): void {
  const { db } = world;
  const credit = getTransaction(db, request.creditRef);
  const failure = { failureCode: debitFailureCode(code) };
  const status = statusOfReturn(code);
  const wasCleared = credit.status === 'cleared';
  changeStatus(db, credit.pairRef, status, at, failure);
  changeStatus(db, credit.ref, wasCleared ? 'returned' : 'voided', at, failure);
  if (wasCleared) showOnStatement(world, { ...request, kind: 'reversal', amount: credit.amount }, at);
  notify(world, `creditor_debit.${status}`, [credit.pairRef], at);
  notify(world, wasCleared ? 'credit.returned' : 'credit.voided', [credit.ref], at);
}

/** Returns a named debit now, in any state. */
export function returnNow(world: World, ref: string, code: number): void {
  const request = getPaymentRequest(world.db, ref);
  paymentRequests.update(world.db, { ref }, { returnCode: code, isLate: 0 });
  returnDebit(world, request, code, world.clock.now());
}
