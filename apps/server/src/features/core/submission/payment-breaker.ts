import { type CircuitBreaker, circuitBreaker } from '@sparechange/domain/circuit-breaker';
import type { Pool } from '#db/connect.ts';
import { closeBreaker, findOpenBreaker, openBreaker, stateOf } from '#features/core/breakers/provider-breakers.ts';
import type { Clock } from '#ports/clock.ts';

/** Judges the provider by the calls of one submission; once open, no more are made. */
export interface PaymentBreaker extends Pick<CircuitBreaker, 'record' | 'isOpen'> {
  /** Reads the findings of other processes before a batch; a half-open breaker lets a few payments through. */
  look(): Promise<'closed' | 'open' | 'half_open'>;
  /** Shares the findings of a batch. */
  conclude(): Promise<void>;
  /** Returns why it is open. */
  readonly reason: string | undefined;
}

interface BreakerDeps {
  db: Pool;
  clock: Clock;
  /** Calls the provider even while the breaker is open. */
  isAskedByPerson?: boolean;
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
export function paymentBreaker(
  { db, clock, isAskedByPerson = false }: BreakerDeps,
  origin: CallOrigin,
): PaymentBreaker {
  const own = circuitBreaker();
  let isHalfOpen = false;
  let answers = { conclusive: 0, inconclusive: 0 };
  let reason: string | undefined;
  return {
    async look() {
      const found = await findOpenBreaker(db, 'direct_debit');
      const state = stateOf(found, clock.now());
      answers = { conclusive: 0, inconclusive: 0 };
      const isLeftAlone = found && state === 'open' && !isAskedByPerson;
      isHalfOpen = state !== 'closed' && !isLeftAlone;
      if (!isLeftAlone) return isHalfOpen ? 'half_open' : 'closed';
      reason = `the provider has answered none since ${found.openedAt.toISOString()} and is left alone until ${found.openUntil.toISOString()}`;
      return 'open';
    },
    record(isInconclusive) {
      own.record(isInconclusive);
      answers[isInconclusive ? 'inconclusive' : 'conclusive'] += 1;
      if (own.isOpen) reason = `${own.inconclusive} of the last ${own.ofLast} calls had no conclusive answer`;
    },
    async conclude() {
      if (answers.conclusive > 0 && !own.isOpen) {
        if (isHalfOpen) await closeBreaker(db, 'direct_debit');
        return;
      }
      if (isHalfOpen && answers.inconclusive > 0 && origin !== 'unanswered')
        reason ??= `none of the ${own.ofLast} calls that were to show whether it answers again had a conclusive answer`;
      if (reason && origin === 'new') await openBreaker(db, 'direct_debit', clock.now());
    },
    get isOpen() {
      return reason !== undefined;
    },
    get reason() {
      return reason;
    },
  };
}
