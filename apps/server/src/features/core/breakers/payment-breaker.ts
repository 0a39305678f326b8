import { type BreakerState, type CircuitBreaker, circuitBreaker } from '@sparechange/domain/circuit-breaker';
import { type BreakerDeps, providerBreaker } from './provider-breakers.ts';

/** Judges the provider by the calls of one submission; once open, no more are made. */
export interface PaymentBreaker extends Pick<CircuitBreaker, 'record' | 'isOpen'> {
  /** Reads the findings of other processes before a batch; a half-open breaker lets a few payments through. */
  look(): Promise<BreakerState>;
  /** Shares the findings of a batch. */
  conclude(): Promise<void>;
  /** Returns why it is open. */
  readonly reason: string | undefined;
}

/**
 * Source of the calls. Only a submission's own new payments open the breaker for all: retried payments have failed
 * before, and an assisting worker may have a network fault of its own.
 */
export type CallOrigin = 'new' | 'assisting' | 'unanswered';

/**
 * Creates a breaker: once new payments get no conclusive answer, no process calls for a while; any answer about a
 * payment ends that.
 */
export function paymentBreaker(deps: BreakerDeps, origin: CallOrigin): PaymentBreaker {
  const shared = providerBreaker(deps, 'direct_debit');
  const own = circuitBreaker();
  let answers = { conclusive: 0, inconclusive: 0 };
  let reason: string | undefined;
  return {
    async look() {
      const state = await shared.look();
      answers = { conclusive: 0, inconclusive: 0 };
      if (state === 'open' && shared.found) {
        const { openedAt, openUntil } = shared.found;
        reason = `the provider has answered none since ${openedAt.toISOString()} and is left alone until ${openUntil.toISOString()}`;
      }
      return state;
    },
    record(isInconclusive) {
      own.record(isInconclusive);
      answers[isInconclusive ? 'inconclusive' : 'conclusive'] += 1;
      if (own.isOpen) reason = `${own.inconclusive} of the last ${own.ofLast} calls had no conclusive answer`;
    },
    async conclude() {
      if (answers.conclusive > 0 && !own.isOpen) return shared.closeIfHalfOpen();
      if (shared.state === 'half_open' && answers.inconclusive > 0 && origin !== 'unanswered')
        reason ??= `none of the ${own.ofLast} calls that were to show whether it answers again had a conclusive answer`;
      if (reason && origin === 'new') await shared.open();
    },
    get isOpen() {
      return reason !== undefined;
    },
    get reason() {
      return reason;
    },
  };
}
