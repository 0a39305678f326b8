import { type CircuitBreaker, circuitBreaker } from '@sparechange/domain/circuit-breaker';
import type { Pool } from '#db/connect.ts';
import {
  type BreakerState,
  closeBreaker,
  findOpenBreaker,
  openBreaker,
  stateOf,
} from '#features/breakers/provider-breakers.ts';
import type { Clock } from '#ports/clock.ts';

/** Judges the provider by the calls of one submission; once it is open no more are made. */
export interface PaymentBreaker extends Pick<CircuitBreaker, 'record' | 'isOpen'> {
  /** Looks at what other processes have found, before a batch; while it is `half_open` one new payment may be sent. */
  look(): Promise<BreakerState>;
  /** Shares what a batch has shown. */
  conclude(): Promise<void>;
  /** Says why it is open. */
  readonly reason: string | undefined;
}

/**
 * Makes the breaker of new payments, or of those that are asked for again. Once new ones get no conclusive answer no process
 * calls for a while; any answer about a payment ends that. Those asked for again have failed before and hold up no new ones.
 */
export function paymentBreaker({ db, clock }: { db: Pool; clock: Clock }, of: 'new' | 'unanswered'): PaymentBreaker {
  const own = circuitBreaker();
  let state: BreakerState = 'closed';
  let isAnswered = false;
  let reason: string | undefined;
  return {
    async look() {
      const found = await findOpenBreaker(db, 'direct_debit');
      state = stateOf(found, clock.now());
      isAnswered = false;
      if (found && state === 'open')
        reason = `the provider has answered none since ${found.openedAt.toISOString()} and is left alone until ${found.openUntil.toISOString()}`;
      return state;
    },
    record(isInconclusive) {
      own.record(isInconclusive);
      isAnswered ||= !isInconclusive;
      const isProbe = state === 'half_open' && of === 'new';
      if (own.isOpen || (isProbe && isInconclusive))
        reason = `${own.inconclusive} of the last ${own.ofLast} calls had no conclusive answer`;
    },
    async conclude() {
      if (state === 'half_open' && isAnswered) await closeBreaker(db, 'direct_debit');
      else if (reason && of === 'new') await openBreaker(db, 'direct_debit', clock.now());
    },
    get isOpen() {
      return reason !== undefined;
    },
    get reason() {
      return reason;
    },
  };
}
