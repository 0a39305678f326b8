import { addDays } from '@sparechange/domain';
import { pickWeighted } from './chance.ts';
import type { Person } from './person.ts';
import type { World } from './world.ts';

const shops = ['KIOSK', 'CAFE LUNA', '12/03 BAKERY', 'Card 4471  bookshop', 'EFTPOS PURCHASE FARMERS MARKET'] as const;

/** Something bought besides what the bank makes up: at the edges of the rules, and twice the same now and then. */
export async function shop(world: World, person: Person): Promise<void> {
  const { lives, clock, outside } = world;
  const cents = lives.chance(0.2) ? lives.whole(1, 30) * 100 : lives.whole(1, 3_000);
  const description = lives.pick([...shops]);
  const daysAgo = lives.chance(0.2) ? lives.whole(1, 9) : 0;
  const times = lives.chance(0.15) ? 2 : 1;
  const kind = pickWeighted(lives, [
    [80, {}],
    [5, { status: 'pending' }],
    [5, { direction: 'credit' }],
    [4, { class: 'transfer' }],
    [3, { currency: 'USD' }],
    [3, { class: 'cash-withdrawal' }],
  ]);
  const date = addDays(clock.day(), -daysAgo);
  const amount = (cents / 100).toFixed(2);
  for (let time = 0; time < times; time += 1) {
    const purchase = { userId: person.customerId, amount, description, date, ...kind };
    await outside.control('POST', '/purchases', purchase);
    const list = kind && 'direction' in kind ? person.credits : person.purchases;
    list.push({ at: clock.now(), day: date, cents, text: description });
  }
  world.count('extra purchases', times);
}

/** A shop pays back one of the last things bought there in full, perhaps twice, perhaps long after. */
export async function takeBack(world: World, person: Person): Promise<void> {
  const { lives, clock, outside } = world;
  const which = lives.whole(1, 12);
  const daysAgo = lives.chance(0.3) ? lives.whole(1, 9) : 0;
  const times = lives.chance(0.1) ? 2 : 1;
  const words = lives.pick(['', 'Refund ', 'REFUND PURCHASE ']);
  const bought = person.purchases.at(-which);
  if (!bought) return;
  const date = addDays(clock.day(), -daysAgo);
  const description = `${words}${bought.text}`;
  const credit = { userId: person.customerId, amount: (bought.cents / 100).toFixed(2), description, date };
  for (let time = 0; time < times; time += 1) {
    await outside.control('POST', '/purchases', { ...credit, direction: 'credit', class: 'refund' });
    person.credits.push({ at: clock.now(), day: date, cents: bought.cents, text: description });
  }
  world.count('paid back', times);
}
