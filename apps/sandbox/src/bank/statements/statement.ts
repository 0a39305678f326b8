import { addMonths, daysOfMonth, type IsoMonth, monthOf } from '#world/days.ts';
import { getBank } from './banks.ts';
import type { Customer } from './customers.ts';
import { edgeCaseTransactions } from './edge-case-transactions.ts';
import type { Line, PendingLine } from './line.ts';
import { everydayOpening, mortgageAt, saverOpening } from './openings.ts';
import { regularLines } from './regular-lines.ts';
import { type Shopping, shoppingOf } from './shopping.ts';

export interface BookedLine extends Line {
  balanceCents: number;
}

export interface StatementMonth {
  /** By account position, each in the order of booking. */
  booked: Map<number, BookedLine[]>;
  opening: Map<number, number>;
  pending: PendingLine[];
}

const shoppings = new Map<string, Shopping>();
const months = new Map<string, StatementMonth>();

function remembered<Thing>(known: Map<string, Thing>, key: string, limit: number, make: () => Thing): Thing {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  const oldest = known.keys().next().value;
  if (known.size >= limit && oldest !== undefined) known.delete(oldest);
  known.set(key, made);
  return made;
}

const shopping = (customer: Customer, month: IsoMonth): Shopping =>
  remembered(shoppings, `${customer.institution} ${customer.crn} ${month}`, 4_000, () => shoppingOf(customer, month));

/** A customer's month on all accounts: a function of bank, CRN and month, whose balances add up with those beside it. */
export const statementMonth = (customer: Customer, month: IsoMonth): StatementMonth =>
  remembered(months, `${customer.institution} ${customer.crn} ${month}`, 2_000, () => workOut(customer, month));

function workOut(customer: Customer, month: IsoMonth): StatementMonth {
  const lines = [
    ...regularLines(customer, month),
    ...bookedShopping(customer, month),
    ...cardPayment(customer, month),
    ...edgeCaseTransactions(customer, month),
  ];
  const opening = new Map(customer.accounts.map(({ position }) => [position, openingOf(customer, position, month)]));
  lines.push(...monthEnd(customer, month, lines));
  const booked = new Map<number, BookedLine[]>();
  for (const { position } of customer.accounts) {
    const own = lines
      .filter((line) => line.position === position)
      .sort((one, other) => one.day.localeCompare(other.day));
    booked.set(position, withBalances(own, opening.get(position) ?? 0));
  }
  return { booked, opening, pending: shopping(customer, month).pending };
}

function withBalances(lines: Line[], openingCents: number): BookedLine[] {
  let balanceCents = openingCents;
  return lines.map((line) => {
    balanceCents += line.cents;
    return { ...line, balanceCents };
  });
}

/** Purchases made late in a month are booked in the next, refunds of them at most one month later. */
const bookedShopping = (customer: Customer, month: IsoMonth): Line[] =>
  [addMonths(month, -1), month]
    .flatMap((made) => shopping(customer, made).posted)
    .filter((line) => monthOf(line.day) === month);

export function openingOf(customer: Customer, position: number, month: IsoMonth): number {
  if (position === 0) return everydayOpening(customer, month);
  if (position === 1) return saverOpening(customer, month);
  if (position === 3) return mortgageAt(customer, month).openingCents;
  return bookedShopping(customer, addMonths(month, -1))
    .filter((line) => line.position === 2)
    .reduce((sum, line) => sum + line.cents, 0);
}

/** The card is paid off in full on the 14th. */
function cardPayment(customer: Customer, month: IsoMonth): Line[] {
  if (!customer.accounts.some(({ kind }) => kind === 'credit-card')) return [];
  const owed = openingOf(customer, 2, month);
  if (owed >= 0) return [];
  const line = { day: `${month}-14`, purchasedOn: `${month}-14`, class: 'transfer' } as const;
  return [
    { ...line, key: `card ${month}`, position: 0, cents: owed, description: 'Transfer To Low Rate Card' },
    { ...line, key: `card paid ${month}`, position: 2, cents: -owed, description: 'PAYMENT RECEIVED THANK YOU' },
  ];
}

/** Returns interest, and transfers towards the next month's opening balances. */
function monthEnd(customer: Customer, month: IsoMonth, lines: Line[]): Line[] {
  if (customer.isEmpty || customer.accounts.length === 0) return [];
  const { name: bank } = getBank(customer.institution);
  const day = daysOfMonth(month).at(-1) ?? `${month}-28`;
  const line = { day, purchasedOn: day, class: 'transfer' } as const;
  const net = (position: number) => lines.reduce((sum, own) => (own.position === position ? sum + own.cents : sum), 0);
  const missing = (position: number) =>
    openingOf(customer, position, addMonths(month, 1)) - openingOf(customer, position, month) - net(position);
  const interest = Math.round((openingOf(customer, 1, month) * 0.0435) / 12);
  const sweep = missing(0);
  const rest = missing(1) - interest + sweep;
  const ends: Line[] = [
    {
      ...line,
      key: `interest ${month}`,
      position: 1,
      class: 'interest',
      cents: interest,
      description: 'Credit Interest',
    },
    {
      ...line,
      key: `sweep ${month}`,
      position: 0,
      cents: sweep,
      description: `Transfer ${sweep < 0 ? 'To' : 'From'} ${bank} Saver`,
    },
    {
      ...line,
      key: `swept ${month}`,
      position: 1,
      cents: -sweep,
      description: `Transfer ${sweep < 0 ? 'From' : 'To'} ${bank} Everyday`,
    },
    {
      ...line,
      key: `deposit ${month}`,
      position: 1,
      cents: rest,
      description: `Transfer ${rest < 0 ? 'To' : 'From'} Term Deposit`,
    },
  ];
  return ends.filter(({ cents }) => cents !== 0);
}
