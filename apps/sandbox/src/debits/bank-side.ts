import { emitOf, listConnectionsOf } from '#bank/basiq/connections.ts';
import { getBank } from '#bank/statements/banks.ts';
import { findAccountByNumber } from '#bank/statements/customers.ts';
import { addPosting } from '#bank/statements/ledger.ts';
import { addBankingDays, addDays, bankingDayOnOrAfter, type IsoDate, sydneyDate, sydneyInstant } from '#world/days.ts';
import type { Cents } from '#world/money.ts';
import type { World } from '#world/world.ts';
import type { Metadata } from './answers.ts';
import { findAnyContact } from './contacts.ts';

const lastExchange = '18:30';
const outcomeTime = '09:00';

/** Returns the banking day on which a maturing payment leaves. */
function processingDay(maturesAt: number): IsoDate {
  const day = sydneyDate(maturesAt);
  const isTooLate = maturesAt > sydneyInstant(day, lastExchange);
  return bankingDayOnOrAfter(isTooLate ? addDays(day, 1) : day);
}

/** A debit is known to have worked, or not, in the morning two banking days later: after that day's early runs. */
export const debitClearsAt = (maturesAt: number): number =>
  sydneyInstant(addBankingDays(processingDay(maturesAt), 2), outcomeTime);

export const creditClearsAt = (maturesAt: number): number =>
  sydneyInstant(addBankingDays(processingDay(maturesAt), 1), outcomeTime);

/** A late dishonour arrives the banking day after clearing. */
export const lateReturnAt = (clearedAt: number): number =>
  sydneyInstant(addBankingDays(sydneyDate(clearedAt), 1), outcomeTime);

interface Movement {
  kind: 'debit' | 'credit' | 'reversal';
  contactId: string;
  amount: Cents;
  description: string;
  metadata: Metadata;
}

/** Shows a cleared movement on the other party's statement, when that account is at one of the sandbox's banks. */
export function showOnStatement(world: World, movement: Movement, at: number): void {
  const { db } = world;
  const { kind, amount, metadata } = movement;
  const { branchCode, accountNumber } = findAnyContact(db, movement.contactId);
  const known = findAccountByNumber(db, branchCode, accountNumber);
  if (known === undefined) return;
  const { customer, position } = known;
  const day = sydneyDate(at);
  const reference = movement.description.slice(0, 9);
  // The payer's statement shows the request's name, or the provider's.
  const remitter = typeof metadata.remitter === 'string' ? metadata.remitter.toUpperCase() : 'ZEPTO PAYMENTS';
  const descriptions = {
    debit: getBank(customer.institution).directDebit(remitter, reference),
    credit: `Direct Credit 481203 ${remitter} ${reference}`,
    reversal: `Direct Debit Reversal ${remitter} ${reference}`,
  };
  addPosting(db, customer, {
    position,
    purchasedOn: day,
    postedOn: day,
    visibleAt: at,
    cents: kind === 'debit' ? -amount : amount,
    currency: 'AUD',
    class: kind === 'debit' ? 'payment' : 'direct-credit',
    description: descriptions[kind],
  });
  for (const connection of listConnectionsOf(db, customer)) emitOf(world, 'transactions.updated', connection, at);
}
