import type { IsoMonth } from '#world/days.ts';
import { seeded } from '#world/seeded.ts';
import type { Customer } from './customers.ts';

const monthsSince2020 = (month: IsoMonth): number =>
  (Number(month.slice(0, 4)) - 2020) * 12 + Number(month.slice(5, 7)) - 1;

/**
 * Returns the balance at the start of a month, from customer and month alone, so that a month needs none before it; a
 * transfer on the last day reaches it.
 */
export const everydayOpening = (customer: Customer, month: IsoMonth): number =>
  customer.isEmpty ? 0 : seeded(`everyday ${customer.institution} ${customer.crn} ${month}`).whole(5_000_00, 7_000_00);

export function saverOpening(customer: Customer, month: IsoMonth): number {
  const person = seeded(`saver ${customer.institution} ${customer.crn}`);
  const start = person.whole(2_000_00, 9_000_00);
  const perMonth = person.whole(80_00, 300_00);
  const noise = seeded(`saver ${customer.institution} ${customer.crn} ${month}`).whole(0, 60_00);
  return start + perMonth * Math.max(0, monthsSince2020(month)) + noise;
}

export interface MortgageMonth {
  openingCents: number;
  repaymentCents: number;
  interestCents: number;
}

const mortgages = new Map<string, MortgageMonth[]>();

/** A loan with equal monthly repayments since January 2020. */
export function mortgageAt(customer: Customer, month: IsoMonth): MortgageMonth {
  const key = `${customer.institution} ${customer.crn}`;
  const months = mortgages.get(key) ?? [];
  if (mortgages.size > 5_000) mortgages.clear();
  mortgages.set(key, months);
  const wanted = Math.max(0, monthsSince2020(month));
  const principal = seeded(`mortgage ${key}`).whole(300_000_00, 620_000_00);
  const repaymentCents = Math.round(principal * 0.006);
  for (let index = months.length; index <= wanted; index += 1) {
    const before = months[index - 1];
    const openingCents =
      before === undefined ? -principal : before.openingCents + before.repaymentCents - before.interestCents;
    const interestCents = Math.round(((-openingCents - repaymentCents) * 0.0589) / 12);
    months.push({ openingCents, repaymentCents, interestCents });
  }
  return months[wanted] ?? { openingCents: -principal, repaymentCents, interestCents: 0 };
}
