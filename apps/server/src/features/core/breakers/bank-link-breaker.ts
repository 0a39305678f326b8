import { type BreakerState, consecutiveFailures } from '@sparechange/domain/circuit-breaker';
import { NoFreeTurn, type ProviderUnavailable } from '#ports/errors.ts';
import { type BreakerDeps, providerBreaker } from './provider-breakers.ts';

/** Opens and closes the bank link's breaker by the outcomes of one process's calls. */
export function bankLinkBreaker(deps: BreakerDeps) {
  const breaker = providerBreaker(deps, 'bank_link');
  const failures = consecutiveFailures();
  return {
    async look(): Promise<BreakerState> {
      const before = breaker.state;
      const state = await breaker.look();
      if (before !== 'closed' && state === 'closed') failures.reset(); // another process was answered
      return state;
    },
    async answered(): Promise<void> {
      failures.reset();
      await breaker.closeIfHalfOpen();
    },
    /** Returns true once no call may be made for now. */
    async notAnswered(error: ProviderUnavailable, hasFailedBefore = false): Promise<boolean> {
      if (error instanceof NoFreeTurn) return false;
      if (!failures.isUnavailableAfter(breaker.state, { isBusy: error.isBusy, hasFailedBefore })) return false;
      await breaker.open();
      failures.reset();
      return true;
    },
  };
}
export type Breaker = ReturnType<typeof bankLinkBreaker>;
