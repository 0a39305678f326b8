import { addDays, cents, dollars } from '@sparechange/domain';
import { pickWeighted } from '../scheduler/chance.ts';
import type { World } from '../world.ts';
import type { SupporterActor } from './supporter-actor.ts';

const shops = ['KIOSK', 'CAFE LUNA', '12/03 BAKERY', 'Card 4471  bookshop', 'EFTPOS PURCHASE FARMERS MARKET'] as const;

/** Something bought besides what the bank makes up: at the edges of the rules, and twice the same now and then. */
export async function shop(world: World, supporter: SupporterActor): Promise<void> {
  const { clock, external } = world;
  const { choices } = supporter;
  const price = cents(choices.chance(0.2) ? choices.whole(1, 30) * 100 : choices.whole(1, 3_000));
  const description = choices.pick([...shops]);
  const daysAgo = choices.chance(0.2) ? choices.whole(1, 9) : 0;
  const times = choices.chance(0.15) ? 2 : 1;
  const kind = pickWeighted(choices, [
    [80, {}],
    [5, { status: 'pending' }],
    [5, { direction: 'credit' }],
    [4, { class: 'transfer' }],
    [3, { currency: 'USD' }],
    [3, { class: 'cash-withdrawal' }],
  ]);
  const date = addDays(clock.day(), -daysAgo);
  for (let time = 0; time < times; time += 1) {
    const purchase = { userId: supporter.customerId, amount: dollars(price), description, date, ...kind };
    await external.control('POST', '/purchases', purchase);
    const list = kind && 'direction' in kind ? supporter.credits : supporter.purchases;
    list.push({ at: clock.now(), day: date, cents: price, text: description });
  }
  world.count('extra purchases', times);
}

/** A shop pays back one of the last things bought there in full, perhaps twice, perhaps long after. */
export async function refundPurchase(world: World, supporter: SupporterActor): Promise<void> {
  const { clock, external } = world;
  const { choices } = supporter;
  const which = choices.whole(1, 12);
  const daysAgo = choices.chance(0.3) ? choices.whole(1, 9) : 0;
  const times = choices.chance(0.1) ? 2 : 1;
  const words = choices.pick(['', 'Refund ', 'REFUND PURCHASE ']);
  const bought = supporter.purchases.at(-which);
  if (!bought) return;
  const date = addDays(clock.day(), -daysAgo);
  const description = `${words}${bought.text}`;
  const credit = { userId: supporter.customerId, amount: dollars(bought.cents), description, date };
  for (let time = 0; time < times; time += 1) {
    await external.control('POST', '/purchases', { ...credit, direction: 'credit', class: 'refund' });
    supporter.credits.push({ at: clock.now(), day: date, cents: bought.cents, text: description });
  }
  world.count('paid back', times);
}
