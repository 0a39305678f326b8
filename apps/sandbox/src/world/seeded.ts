import { hash } from 'node:crypto';

/** Random choices that come out the same for the same seed, on every machine and in every run. */
export interface Seeded {
  next(): number;
  /** Whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** Log-normal with this median, cut off at both ends. */
  logNormal(median: number, spread: number, least: number, most: number): number;
}

function seedOf(text: string): number {
  let state = 2166136261;
  for (let index = 0; index < text.length; index += 1) {
    state = Math.imul(state ^ text.charCodeAt(index), 16777619);
  }
  state ^= state >>> 16;
  state = Math.imul(state, 2246822507);
  return (state ^ (state >>> 13)) >>> 0;
}

export function seeded(seed: string): Seeded {
  let state = seedOf(seed);
  // mulberry32: small, fast, and good enough for shopping.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick: (items) => items[whole(0, items.length - 1)] ?? items[0],
    logNormal(median, spread, least, most) {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return Math.min(most, Math.max(least, median * Math.exp(spread * normal)));
    },
  };
}

/** A UUID that is a function of the text, for things that are worked out again rather than stored. */
export function uuidFrom(text: string): string {
  const hex = hash('sha1', text, 'hex');
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
