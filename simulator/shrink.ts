import type { FaultKind } from './faults/faults.ts';
import { minDaysWithDebits } from './invariants/verdict.ts';

/** Supporters, days and faults of a run. */
export interface Case {
  supporters: readonly number[];
  days: number;
  kinds: readonly FaultKind[];
}

/** A violation, and on which day of the run it was found, counted from 1. */
export interface Found {
  what: string;
  onDay: number;
}

export interface Shrunk {
  smallest: Case;
  found: Found;
  reruns: number;
  /** False where the number of reruns ended it. */
  isComplete: boolean;
}

type Play = (smaller: Case) => Promise<readonly Found[]>;

/** Calm days after which a run ends: of a day less far from its end nothing is like it was. */
const calmDays = 14;

/** Returns a violation without what differs between two runs that show the same: ids, people, days and amounts. */
const kindOf = (what: string): string =>
  (what.split('\n')[0] ?? '')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')
    .replace(/person-\d+(@\S+)?/g, ':person')
    .replace(/-?\d+/g, ':number');

const peopleIn = (what: string): number[] => [...what.matchAll(/person-(\d+)/g)].map(([, number]) => Number(number));

/** Leaves out as much of a list as still shows it: half of it, then a quarter, then each alone. */
async function fewest<Item>(
  all: readonly Item[],
  least: number,
  shows: (some: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let kept = all;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length && kept.length - size >= least; ) {
      const without = [...kept.slice(0, at), ...kept.slice(at + size)];
      if (without.length < kept.length && (await shows(without))) kept = without;
      else at += size;
    }
  }
  return kept;
}

/**
 * Plays a run that shows a violation with less and less, and keeps what still shows one of the same kind: without faults or
 * with few kinds of them, of the fewest supporters, for the fewest days.
 */
export async function shrink(whole: Case, first: Found, play: Play, maxReruns = 40): Promise<Shrunk> {
  let smallest = whole;
  let found = first;
  let reruns = 0;
  const tried = new Set<string>();

  const shows = async (change: Partial<Case>): Promise<boolean> => {
    const smaller = { ...smallest, ...change };
    const name = JSON.stringify(smaller);
    if (reruns >= maxReruns || tried.has(name)) return false;
    tried.add(name);
    reruns += 1;
    const same = (await play(smaller)).find(({ what }) => kindOf(what) === kindOf(first.what));
    if (!same) return false;
    smallest = smaller;
    found = same;
    return true;
  };

  /** Days that come after it, and are not played, change nothing but when the calm ones begin. */
  const shortenTo = (days: number) =>
    days >= minDaysWithDebits && days < smallest.days ? shows({ days }) : Promise.resolve(false);

  async function fewestDays(): Promise<void> {
    if (!(await shortenTo(Math.max(minDaysWithDebits, found.onDay)))) await shortenTo(found.onDay + calmDays);
    for (let least = minDaysWithDebits; least < smallest.days && reruns < maxReruns; ) {
      const days = Math.floor((least + smallest.days) / 2);
      if (!(await shortenTo(days))) least = days + 1;
    }
  }

  await shortenTo(found.onDay + calmDays);
  if (smallest.kinds.length > 0 && !(await shows({ kinds: [] }))) {
    for (const kind of smallest.kinds) if (smallest.kinds.length > 1 && (await shows({ kinds: [kind] }))) break;
    await fewest(smallest.kinds, 1, (kinds) => shows({ kinds }));
  }
  const concerned = peopleIn(found.what).filter((number) => smallest.supporters.includes(number));
  const isNamed = concerned.length > 0 && concerned.length < smallest.supporters.length;
  if (!(isNamed && (await shows({ supporters: concerned }))))
    await fewest(smallest.supporters, 1, (supporters) => shows({ supporters }));
  await fewestDays();
  return { smallest, found, reruns, isComplete: reruns < maxReruns };
}
