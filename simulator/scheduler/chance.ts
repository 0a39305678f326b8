import crypto, { type UUID } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { type Seeded, seeded } from '@sparechange/sandbox/world/seeded.ts';
import { isAlive } from './program.ts';

export type Chance = Seeded;

/** Random choices of one subject, so that what is decided about one leaves the others as they are. */
export const chanceOf = (seed: number, subject: string): Chance => seeded(`simulation ${seed} ${subject}`);

/** Picks an item in proportion to its weight. */
export function pickWeighted<Item>(chance: Chance, items: readonly [weight: number, item: Item][]): Item | undefined {
  let left = chance.next() * items.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, item] of items) {
    left -= weight;
    if (left < 0) return item;
  }
  return undefined;
}

/** Takes every UUID of a living process from the seed until the returned function is called, because ids decide some orders. */
export function seedUuids(seed: number): () => void {
  const original = crypto.randomUUID;
  const chance = chanceOf(seed, 'ids');
  const part = (length: number): string => {
    let text = '';
    while (text.length < length) text += chance.whole(0, 0xffff).toString(16).padStart(4, '0');
    return text.slice(0, length);
  };
  const drawn = (): UUID => `${part(8)}-${part(4)}-4${part(3)}-8${part(3)}-${part(12)}`;
  const set = (randomUUID: typeof original): void => {
    crypto.randomUUID = randomUUID;
    syncBuiltinESMExports();
  };
  set((options) => (isAlive() ? drawn() : original(options)));
  return () => set(original);
}
