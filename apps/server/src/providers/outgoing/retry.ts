/** Rules for repeating a call to a provider. */
export interface RetryPolicy {
  /** Calls in all, the first included. */
  maxTries: number;
  /** Ceiling of the first wait; it doubles with each try. */
  baseWaitMs: number;
  maxWaitMs: number;
  /** No try begins later than this after the first. */
  maxElapsedMs: number;
  /** A longer Retry-After is not waited for. */
  maxRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxTries: 4,
  baseWaitMs: 300,
  maxWaitMs: 5_000,
  maxElapsedMs: 30_000,
  maxRetryAfterMs: 15_000,
};

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
  const ceiling = Math.min(policy.maxWaitMs, policy.baseWaitMs * 2 ** (tries - 1));
  const wait = Math.round(retryAfterMs + random() * ceiling);
  return elapsedMs + wait > policy.maxElapsedMs ? undefined : wait;
}
