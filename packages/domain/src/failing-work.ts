import { minAttempts, parkAfterMs, pauseBeforeAttemptMs } from './resubmission.ts';

/** Tries that failed since the work last succeeded. */
export interface FailedTries {
  tries: number;
  failingSince: Date | null;
}

export interface NextTry extends FailedTries {
  /** Null once parked: then the next pass tries it. */
  nextTryAt: Date | null;
  parkedAt: Date | null;
}

/** Tries failed work again after 1, 2, 4 … 60 minutes; parks it after a day. Working on it twice changes nothing. */
export function afterFailedTry({ tries, failingSince }: FailedTries, now: Date): NextTry {
  const failed = { tries: tries + 1, failingSince: failingSince ?? now };
  const isParked = now.getTime() - failed.failingSince.getTime() >= parkAfterMs && failed.tries >= minAttempts;
  if (isParked) return { ...failed, nextTryAt: null, parkedAt: now };
  return { ...failed, nextTryAt: new Date(now.getTime() + pauseBeforeAttemptMs(failed.tries + 1)), parkedAt: null };
}
