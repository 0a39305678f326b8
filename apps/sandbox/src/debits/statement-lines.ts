import { listConnectionsOf } from '#bank/basiq/connections.ts';
import { emit } from '#bank/basiq/events.ts';
import { findAccountByNumber } from '#bank/statements/bank-accounts.ts';
import { getBank } from '#bank/statements/banks.ts';
import type { LineClass } from '#bank/statements/line.ts';
import { addPosting } from '#bank/statements/postings.ts';
import { sydneyDate } from '#world/days.ts';
import type { World } from '#world/world.ts';
import type { Contact } from './contacts.ts';

interface Movement {
  kind: 'debit' | 'credit' | 'reversal';
  amount: number;
  description: string;
  metadata: Record<string, unknown>;
}

const classes: Record<Movement['kind'], LineClass> = {
  debit: 'payment',
  credit: 'direct-credit',
  reversal: 'direct-credit',
};

/** The payer's statement shows the request's name, or the merchant's. */
const remitterOf = ({ metadata }: Movement): string =>
  typeof metadata.remitter === 'string' ? metadata.remitter.toUpperCase() : 'ZEPTO PAYMENTS';

/** Shows a cleared movement on the other party's statement, when that account is at one of the sandbox's banks. */
export function showOnStatement(world: World, contact: Contact, movement: Movement, at: number): void {
  const { db } = world;
  const known = findAccountByNumber(db, contact.branchCode, contact.accountNumber);
  if (known === undefined) return;
  const { customer, account } = known;
  const day = sydneyDate(at);
  const reference = movement.description.slice(0, 9);
  const remitter = remitterOf(movement);
  const descriptions = {
    debit: getBank(customer.institution).directDebit(remitter, reference),
    credit: `Direct Credit 481203 ${remitter} ${reference}`,
    reversal: `Direct Debit Reversal ${remitter} ${reference}`,
  };
  addPosting(db, customer, {
    position: account.position,
    purchasedOn: day,
    postedOn: day,
    visibleAt: at,
    cents: movement.kind === 'debit' ? -movement.amount : movement.amount,
    class: classes[movement.kind],
    description: descriptions[movement.kind],
  });
  for (const { userId, id } of listConnectionsOf(db, customer)) {
    emit(
      world,
      'transactions.updated',
      { userId, path: `/users/${userId}/transactions?filter=connection.id.eq('${id}')` },
      at,
    );
  }
}
