import { addMonths, daysOfMonth, type IsoMonth, monthOf } from '#world/days.ts';
import { type Cents, sumOf } from '#world/money.ts';
import { seeded } from '#world/seeded.ts';
import { getBank } from './banks.ts';
import { type Customer, crns, isIdle } from './customers.ts';
import { type Line, type PendingLine, sameDayLine } from './line.ts';
import { edgeCaseLines, regularLines } from './regular-lines.ts';
import { type Shopping, shoppingOf } from './shopping.ts';

export interface BookedLine extends Line {
  balanceCents: Cents;
}

interface StatementMonth {
  /** By account position, each in the order of booking. */
  booked: Map<number, BookedLine[]>;
  opening: Map<number, Cents>;
  pending: PendingLine[];
}

/** Remembers up to `limit` results by customer and month, dropping the oldest. */
function remembering<Result>(limit: number, make: (customer: Customer, month: IsoMonth) => Result): typeof make {
  const known = new Map<string, Result>();
  return (customer, month) => {
    const key = `${customer.institution} ${customer.crn} ${month}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make(customer, month);
    const oldest = known.keys().next().value;
    if (known.size >= limit && oldest !== undefined) known.delete(oldest);
    known.set(key, made);
    return made;
  };
}

const shopping: (customer: Customer, month: IsoMonth) => Shopping = remembering(4_000, shoppingOf);

/** A customer's month on all accounts: a function of bank, CRN and month, whose balances add up with those beside it. */
export const statementMonth = remembering(2_000, (customer, month): StatementMonth => {
  const lines = [
    ...regularLines(customer, month),
    ...bookedShopping(customer, month),
    ...cardPayment(customer, month),
    ...edgeCaseLines(customer, month),
  ];
  lines.push(...monthEnd(customer, month, lines));
  const statement: StatementMonth = {
    booked: new Map(),
    opening: new Map(),
    pending: shopping(customer, month).pending,
  };
  for (const { position } of customer.accounts) {
    let balanceCents = openingOf(customer, position, month);
    statement.opening.set(position, balanceCents);
    const booked = onAccount(lines, position)
      .sort((one, other) => one.day.localeCompare(other.day))
      .map((line) => {
        balanceCents += line.cents;
        return { ...line, balanceCents };
      });
    statement.booked.set(position, booked);
  }
  return statement;
});

const onAccount = (lines: Line[], position: number): Line[] => lines.filter((line) => line.position === position);

/** Purchases made late in a month are booked in the next, refunds of them at most one month later. */
const bookedShopping = (customer: Customer, month: IsoMonth): Line[] =>
  [addMonths(month, -1), month]
    .flatMap((made) => shopping(customer, made).posted)
    .filter((line) => monthOf(line.day) === month);

const monthsSince2020 = (month: IsoMonth): number =>
  (Number(month.slice(0, 4)) - 2020) * 12 + Number(month.slice(5, 7)) - 1;

/**
 * Returns the balance at the start of a month, from customer and month alone, so that a month needs none before it; a
 * transfer on the last day reaches it.
 */
export function openingOf(customer: Customer, position: number, month: IsoMonth): Cents {
  const { institution, crn } = customer;
  if (position === 0) {
    return crn === crns.empty ? 0 : seeded(`everyday ${institution} ${crn} ${month}`).whole(5_000_00, 7_000_00);
  }
  if (position === 2) return sumOf(onAccount(bookedShopping(customer, addMonths(month, -1)), 2));
  const person = seeded(`saver ${institution} ${crn}`);
  const start = person.whole(2_000_00, 9_000_00);
  const perMonth = person.whole(80_00, 300_00);
  const noise = seeded(`saver ${institution} ${crn} ${month}`).whole(0, 60_00);
  return start + perMonth * Math.max(0, monthsSince2020(month)) + noise;
}

/** The card is paid off in full on the 14th. */
function cardPayment(customer: Customer, month: IsoMonth): Line[] {
  const owed = customer.accounts.some(({ position }) => position === 2) ? openingOf(customer, 2, month) : 0;
  if (owed >= 0) return [];
  const day = `${month}-14`;
  return [
    sameDayLine(`card ${month}`, 0, day, 'transfer', owed, 'Transfer To Low Rate Card'),
    sameDayLine(`card paid ${month}`, 2, day, 'transfer', -owed, 'PAYMENT RECEIVED THANK YOU'),
  ];
}

/** Returns interest, and transfers towards the next month's opening balances. */
function monthEnd(customer: Customer, month: IsoMonth, lines: Line[]): Line[] {
  if (isIdle(customer)) return [];
  const { name: bank } = getBank(customer.institution);
  const day = daysOfMonth(month).at(-1) ?? `${month}-28`;
  const missing = (position: number) =>
    openingOf(customer, position, addMonths(month, 1)) -
    openingOf(customer, position, month) -
    sumOf(onAccount(lines, position));
  const transfer = (key: string, position: number, cents: Cents, other: string) =>
    sameDayLine(`${key} ${month}`, position, day, 'transfer', cents, `Transfer ${cents < 0 ? 'To' : 'From'} ${other}`);
  const interest = Math.round((openingOf(customer, 1, month) * 0.0435) / 12);
  const sweep = missing(0);
  const ends = [
    sameDayLine(`interest ${month}`, 1, day, 'interest', interest, 'Credit Interest'),
    transfer('sweep', 0, sweep, `${bank} Saver`),
    transfer('swept', 1, -sweep, `${bank} Everyday`),
    transfer('deposit', 1, missing(1) - interest + sweep, 'Term Deposit'),
  ];
  return ends.filter(({ cents }) => cents !== 0);
}
