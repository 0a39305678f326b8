import { randomUUID } from 'node:crypto';
import { isoInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { merchant } from './merchant.ts';
import { presentTransaction, type Transaction, transactionColumns } from './transactions.ts';

const perMessage = 50;

/** Notifies of transactions with one change, several in a message. */
export function notify(world: World, type: string, refs: string[], at: number): void {
  if (!world.outbox.hasSubscriber('zepto', type)) return;
  for (let start = 0; start < refs.length; start += perMessage) {
    const data = refs.slice(start, start + perMessage).map((ref) => presentTransaction(getNamed(world, ref)));
    publish(world, type, data, at);
  }
}

export function publish(world: World, type: string, data: object[], at: number): void {
  const who = {
    account_id: merchant.accountId,
    account_type: 'Account',
    bank_account_id: merchant.bankAccountId,
    bank_account_type: 'BankAccount',
  };
  const body = { event: { type, at: isoInstant(at), who }, data };
  world.outbox.publish('zepto', type, randomUUID(), JSON.stringify(body), at);
}

function getNamed({ db }: World, ref: string): Transaction & { partyName: string } {
  const row = db.find<Transaction & { partyName: string }>(
    `select ${transactionColumns}, (select name from contacts where id = contact_id) as partyName from transactions where ref = ?`,
    ref,
  );
  if (row === undefined) throw new Error(`There is no transaction ${ref}.`);
  return row;
}
