import { sydneyTime } from '@sparechange/domain';
import { debitRunTime } from '@sparechange/domain/banking-calendar';
import { breakerRule } from '@sparechange/domain/circuit-breaker';
import { chanceOf } from '../scheduler/chance.ts';
import { stoppedByBreaker, type World } from '../world.ts';

export type CollectionFault = 'time-out before' | 'time-out after' | 422 | 500;

/** Provider's faults with single collections, beside outages of everything. */
export interface CollectionFaults {
  /** Chooses those of a day. */
  newDay(): void;
  /** Decides about one collection; undefined lets it through. */
  inject(init: RequestInit): Promise<CollectionFault | undefined>;
  /** Ends them; called on each calm day. */
  stop(): void;
}

/** Days in which one mandate is answered 500; then the provider has mended it and fails with another. */
const daysOfOneMandate = 20;
const firstDayOfMandate = 5;
const burstsByChance = 0.08;
/**
 * From this day on a burst strikes each debit run that is large enough for the circuit breaker, until one has stopped. Where
 * the first days had none, because few had joined, it comes in the first calm ones.
 */
const firstDayOfBurst = 4;
const maxCalmDaysOfBurst = 6;
/** A payment counts as unanswered after four tries. */
const callsOfBurst = [40, 60] as const;

/**
 * A mandate that is answered 500 for ever, bursts of time-outs in debit runs, and days on which the provider lets us
 * collect from nobody.
 */
export function collectionFaults(
  seed: number,
  { everybody, clock, count, counted }: Pick<World, 'everybody' | 'clock' | 'count' | 'counted'>,
): CollectionFaults {
  const chance = chanceOf(seed, 'collections');
  let day = 0;
  let refusesAll = false;
  let failing: { mandate: string; until: number } | undefined;
  let isBurstDue = false;
  let calmDays = 0;
  let burst = 0;
  let hasInjected = false;

  const isInRun = (): boolean => {
    const sinceMs = clock.peek().getTime() - sydneyTime(clock.day(), debitRunTime).getTime();
    return sinceMs >= 0 && sinceMs < 3_600_000;
  };

  const startBurst = (calls: number): void => {
    burst = calls;
    hasInjected = false;
  };

  /** Begins a day's burst with its run's first collection. */
  const beginBurst = async (): Promise<void> => {
    if (!isBurstDue || !isInRun()) return;
    isBurstDue = false;
    if (counted(stoppedByBreaker) > 0 || !(await isRunLarge(everybody))) return;
    startBurst(Math.max(burst, chance.whole(...callsOfBurst)));
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
      isBurstDue = day >= firstDayOfBurst;
      const isByChance = chance.chance(burstsByChance);
      const calls = chance.whole(...callsOfBurst);
      if (burst === 0 && isByChance) startBurst(calls);
    },
    async inject(init) {
      if (refusesAll) {
        count('debits that the provider would not collect');
        return 422;
      }
      await beginBurst();
      if (burst > 0 && isInRun()) {
        if (!hasInjected) count('bursts of time-outs');
        hasInjected = true;
        burst -= 1;
        return chance.chance(0.5) ? 'time-out before' : 'time-out after';
      }
      if (!isFailing(mandateOf(init))) return undefined;
      count('collections of a failing mandate');
      return 500;
    },
    stop() {
      calmDays += 1;
      isBurstDue = calmDays <= maxCalmDaysOfBurst;
      refusesAll = false;
      burst = 0;
      failing = undefined;
      day = Number.NEGATIVE_INFINITY;
    },
  };
}

async function isRunLarge(everybody: World['everybody']): Promise<boolean> {
  const [run] = await everybody<{ count: number }[]>`
    select count(*) as count from debits where state in ('planned', 'submitting') and parked_at is null`;
  return run !== undefined && run.count >= breakerRule.atFirst;
}

const mandateOf = ({ body }: RequestInit): string => {
  const { authoriser_contact_id: mandate } = JSON.parse(String(body)) as { authoriser_contact_id: string };
  return mandate;
};
