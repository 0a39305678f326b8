import { sydneyTime } from '@sparechange/domain';
import { debitRunTime } from '@sparechange/domain/banking-calendar';
import { chanceOf } from './chance.ts';
import type { World } from './world.ts';

export type CollectionFault = 'time-out before' | 'time-out after' | 422 | 500;

/** Faults of the provider with single collections, beside outages of everything. */
export interface CollectionFaults {
  /** Chooses those of a day. */
  newDay(): void;
  /** Decides about one collection; undefined lets it through. */
  strike(init: RequestInit): CollectionFault | undefined;
  cease(): void;
}

/** Days in which one mandate is answered 500; then the provider has mended it and fails with another. */
const daysOfOneMandate = 20;
const firstDayOfMandate = 5;
const firstDayOfBurst = 8;
/** At least one burst and one failing mandate come in every run: from these days on, with the first collection. */
const burstsLater = 0.08;

/**
 * A mandate that is answered 500 for ever, bursts of time-outs in debit runs, and days on which the provider lets us
 * collect from nobody.
 */
export function collectionFaults(seed: number, { clock, count }: Pick<World, 'clock' | 'count'>): CollectionFaults {
  const chance = chanceOf(seed, 'collections');
  let day = 0;
  let refusesAll = false;
  let failing: { mandate: string; until: number } | undefined;
  let hasBurst = false;
  let burst = 0;

  const isInRun = (): boolean => {
    const sinceMs = clock.peek().getTime() - sydneyTime(clock.day(), debitRunTime).getTime();
    return sinceMs >= 0 && sinceMs < 3_600_000;
  };

  const isFailing = (mandate: string): boolean => {
    if (day < firstDayOfMandate) return false;
    if (!failing || failing.until <= day) {
      failing = { mandate, until: day + daysOfOneMandate };
      count('mandates that the provider fails with');
    }
    return failing.mandate === mandate;
  };

  return {
    newDay() {
      day += 1;
      refusesAll = chance.chance(0.03);
      const isLater = chance.chance(burstsLater);
      const calls = chance.whole(30, 60); // each payment is tried four times before it counts as unanswered
      const isDue = !hasBurst && day >= firstDayOfBurst;
      if (burst === 0 && (isDue || isLater)) burst = calls;
    },
    strike(init) {
      if (refusesAll) {
        count('debits that the provider would not collect');
        return 422;
      }
      if (burst > 0 && isInRun()) {
        if (!hasBurst) count('bursts of time-outs');
        hasBurst = true;
        burst -= 1;
        return chance.chance(0.5) ? 'time-out before' : 'time-out after';
      }
      if (!isFailing(mandateOf(init))) return undefined;
      count('collections of a failing mandate');
      return 500;
    },
    cease() {
      refusesAll = false;
      burst = 0;
      failing = undefined;
      day = Number.NEGATIVE_INFINITY;
    },
  };
}

const mandateOf = ({ body }: RequestInit): string => {
  const { authoriser_contact_id: mandate } = JSON.parse(String(body)) as { authoriser_contact_id: string };
  return mandate;
};
