/** A payment's inconclusive attempts and their beginning. */
export interface Unanswered {
  attempts: number;
  /** The first inconclusive answer; null while there is none. */
  unknownSince: Date | null;
}

export interface NextAttempt {
  attempts: number;
  unknownSince: Date;
  nextAttemptAt: Date;
  /** Set when retries stop until an operator has looked. */
  parkedAt: Date | null;
}

const msPerMinute = 60_000;
const maxPauseMinutes = 60;

/** A payment is parked once it has been unknown for so long; the provider forgets idempotency keys by then. */
export const parkAfterMs = 24 * 60 * msPerMinute;
/** Parking takes this many attempts as well: the product itself may have been stopped for that long. */
export const minAttempts = 5;

/** Returns the pause before the next attempt: none after the first inconclusive answer, then 1, 2, 4 … 60 minutes. */
export function pauseBeforeAttemptMs(attempts: number): number {
  if (attempts <= 1) return 0;
  return Math.min(2 ** Math.min(attempts - 2, 20), maxPauseMinutes) * msPerMinute;
}

/** Decides when an inconclusive payment is retried or parked. */
export function afterInconclusive({ attempts, unknownSince }: Unanswered, now: Date): NextAttempt {
  const since = unknownSince ?? now;
  const isParked = now.getTime() - since.getTime() >= parkAfterMs && attempts + 1 >= minAttempts;
  return {
    attempts: attempts + 1,
    unknownSince: since,
    nextAttemptAt: new Date(now.getTime() + pauseBeforeAttemptMs(attempts + 1)),
    parkedAt: isParked ? now : null,
  };
}
