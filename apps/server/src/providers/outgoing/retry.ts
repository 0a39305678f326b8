import { type Pauses, pauseAfter, retryPlans } from '@sparechange/domain/retry-plan';

/** Rules for repeating a call to a provider; each wait is a random part of a pause. */
export interface RetryPolicy extends Pauses {
  /** Calls in all, the first included. */
  maxTries: number;
  /** No try begins later than this after the first. */
  givenUpAfterMs: number;
  /** A longer Retry-After is not waited for. */
  maxRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { ...retryPlans.call, maxRetryAfterMs: 15_000 };

/** Answers that say "not now" and that nothing was done; 502 and 504 come from proxies before the provider. */
export const isPassingStatus = (status: number): boolean => [429, 502, 503, 504].includes(status);

/** Milliseconds a `Retry-After` header asks for, given in seconds or as a date; undefined when there is none to read. */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return text === '' || Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

export interface TriesSoFar {
  tries: number;
  elapsedMs: number;
  /** The wait that the provider's last answer asked for. */
  retryAfterMs: number | undefined;
}

/**
 * Milliseconds to wait before the next try: exponential with full jitter, so that callers that failed together do not
 * come back together. What the provider asked for comes on top. Undefined when it is time to give up.
 */
export function waitBeforeRetry(policy: RetryPolicy, soFar: TriesSoFar, random: () => number): number | undefined {
  const { tries, elapsedMs, retryAfterMs = 0 } = soFar;
  if (tries >= policy.maxTries || retryAfterMs > policy.maxRetryAfterMs) return undefined;
  const wait = Math.round(retryAfterMs + random() * pauseAfter(policy, tries));
  return elapsedMs + wait > policy.givenUpAfterMs ? undefined : wait;
}
