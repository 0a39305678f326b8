import type { Pool } from '#db/connect.ts';
import {
  type BreakerState,
  closeBreaker,
  findOpenBreaker,
  openBreaker,
  stateOf,
} from '#features/core/breakers/provider-breakers.ts';
import type { Clock } from '#ports/clock.ts';
import { NoFreeTurn, type ProviderUnavailable } from '#ports/errors.ts';

/** Consecutive unanswered calls that make the bank link unavailable. */
const maxUnanswered = 20;
/** Weight of a call refused because the bank link is busy, in unanswered calls: three in a row open the breaker. */
const busyWeighs = 7;
/** Consecutive unanswered probes, for any supporters, after which calls to the bank link stop again. */
const maxProbes = 3;

/** Opens and closes the breaker, which all processes share, by the outcomes of one process's calls. */
export function bankLinkBreaker({ db, clock }: { db: Pool; clock: Clock }) {
  let state: BreakerState = 'closed';
  let unanswered = 0;
  let probes = 0;
  const countAnew = () => {
    unanswered = 0;
    probes = 0;
  };
  return {
    async look(): Promise<BreakerState> {
      const before = state;
      state = stateOf(await findOpenBreaker(db, 'bank_link'), clock.now());
      if (before !== 'closed' && state === 'closed') countAnew(); // another process was answered
      return state;
    },
    async answered(): Promise<void> {
      countAnew();
      if (state !== 'half_open') return;
      await closeBreaker(db, 'bank_link');
      state = 'closed';
    },
    /**
     * Returns true once no call may be made for now. Previously failing supporters prove nothing about others; three
     * failed probes do.
     */
    async notAnswered(error: ProviderUnavailable, hasFailedBefore = false): Promise<boolean> {
      if (error instanceof NoFreeTurn) return false;
      if (state === 'half_open') probes += 1;
      if (hasFailedBefore && probes < maxProbes) return false;
      unanswered += error.isBusy ? busyWeighs : 1;
      if (state === 'closed' && unanswered < maxUnanswered) return false;
      await openBreaker(db, 'bank_link', clock.now());
      state = 'open';
      countAnew();
      return true;
    },
  };
}
export type Breaker = ReturnType<typeof bankLinkBreaker>;
