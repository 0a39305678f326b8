/** When a call to a provider is made again, and how long to wait before it is. */
export interface RetryPolicy {
  /** Calls in all, the first included. */
  maxTries: number;
  /** The first wait is at most so long, each further one up to twice the one before. */
  baseWaitMs: number;
  maxWaitMs: number;
  /** A provider that asks for more patience than this is not waited for. */
  maxRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxTries: 4,
  baseWaitMs: 300,
  maxWaitMs: 5_000,
  maxRetryAfterMs: 15_000,
};

/** Answers that say "not now" and that nothing was done; 502 and 504 come from whatever stands before the provider. */
export const isPassingStatus = (status: number): boolean => [429, 502, 503, 504].includes(status);

/** Milliseconds a `Retry-After` header asks for, given in seconds or as a date; undefined when there is none to read. */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return text === '' || Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/**
 * Milliseconds to wait after so many tries: exponential with full jitter, so that callers that failed together do not
 * come back together. What the provider asked for comes on top. Undefined when it is time to give up.
 */
export function waitBeforeRetry(
  policy: RetryPolicy,
  triesMade: number,
  retryAfterMs: number | undefined,
  random: () => number,
): number | undefined {
  if (triesMade >= policy.maxTries) return undefined;
  if (retryAfterMs !== undefined && retryAfterMs > policy.maxRetryAfterMs) return undefined;
  const ceiling = Math.min(policy.maxWaitMs, policy.baseWaitMs * 2 ** (triesMade - 1));
  return Math.round((retryAfterMs ?? 0) + random() * ceiling);
}
