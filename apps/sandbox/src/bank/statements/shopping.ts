import { addDays, daysOfMonth, type IsoDate, type IsoMonth, sydneyInstant } from '#world/days.ts';
import { type Seeded, seeded } from '#world/seeded.ts';
import { type Bank, describePurchase, getBank } from './banks.ts';
import { type Customer, isIdle } from './customers.ts';
import type { Line, PendingLine } from './line.ts';
import { type Merchant, merchants } from './merchants.ts';

export interface Shopping {
  posted: Line[];
  pending: PendingLine[];
}

const msPerMinute = 60_000;

/**
 * A month of card purchases, by the day they were made. They are pending from that minute on and post one or two days
 * later; a few post with another amount, in two parts, or never.
 */
export function shoppingOf(customer: Customer, month: IsoMonth): Shopping {
  const shopping: Shopping = { posted: [], pending: [] };
  if (isIdle(customer)) return shopping;
  const random = seeded(`shopping ${customer.institution} ${customer.crn} ${month}`);
  const bank = getBank(customer.institution);
  const days = daysOfMonth(month);
  const count = random.whole(25, 45);
  for (let number = 0; number < count; number += 1) {
    const day = days[random.whole(0, days.length - 1)] ?? `${month}-01`;
    buy(shopping, customer, bank, day, `${month} ${number}`, random);
  }
  return shopping;
}

function amountAt(merchant: Merchant, random: Seeded): number {
  const cents = Math.round(random.logNormal(merchant.median, 0.45, 80, 18_000));
  const isWhole = merchant.isRound === true ? random.chance(0.7) : random.chance(0.08);
  if (isWhole) return Math.max(100, Math.round(cents / 100) * 100);
  return random.chance(0.002) ? 1 : cents;
}

function buy(shopping: Shopping, customer: Customer, bank: Bank, day: IsoDate, key: string, random: Seeded): void {
  const merchant = random.pick(merchants);
  const hasCard = customer.accounts.some(({ kind }) => kind === 'credit-card');
  const position = hasCard && random.chance(0.5) ? 2 : 0;
  const cents = -amountAt(merchant, random);
  const description = describePurchase(bank, merchant, day, random);
  const line = {
    position,
    purchasedOn: day,
    day: addDays(day, random.whole(1, 2)),
    class: 'payment',
    description,
  } as const;
  const subClass = { code: merchant.code, title: merchant.title };
  const outcome = random.next();
  const visibleAt = sydneyInstant(day) + random.whole(7 * 60, 22 * 60) * msPerMinute;
  const held = merchant.holdCents !== undefined && outcome < 0.5 ? -merchant.holdCents : cents;
  shopping.pending.push({ ...line, key, cents: held, subClass, visibleAt });
  if (outcome > 0.98) return;
  if (outcome > 0.96 && cents < -200) {
    const part = Math.round(cents * 0.4);
    shopping.posted.push({ ...line, key: `${key} a`, cents: part, subClass });
    shopping.posted.push({ ...line, key: `${key} b`, day: addDays(line.day, 1), cents: cents - part, subClass });
    return;
  }
  const tip = outcome > 0.93 && merchant.code === '451' ? Math.round(cents * 0.1) : 0;
  shopping.posted.push({ ...line, key, cents: cents + tip, subClass });
  if (random.chance(0.01)) shopping.posted.push({ ...line, key: `${key} again`, cents: cents + tip, subClass });
  if (random.chance(0.02)) {
    const isFull = random.chance(0.5);
    const back = isFull ? -(cents + tip) : Math.round(-cents / 2);
    const refund = { position, purchasedOn: day, day: addDays(line.day, random.whole(3, 9)), class: 'refund' } as const;
    shopping.posted.push({
      ...refund,
      key: `${key} refund`,
      cents: back,
      description: isFull ? `Refund ${description}` : `Refund Purchase ${merchant.name}`,
    });
  }
}
