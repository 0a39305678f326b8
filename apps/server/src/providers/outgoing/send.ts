import { NoFreeTurn, ProviderUnavailable } from '#ports/errors.ts';
import { limitRepeatedLines } from '#repeated-lines.ts';
import { readJson } from './provider-answers.ts';
import { defaultRetryPolicy, isPassingStatus, parseRetryAfter, type RetryPolicy, waitBeforeRetry } from './retry.ts';

/** The log of an adapter; a pino logger fits. Details never hold a token, an address or an account number. */
export interface ProviderLog {
  warn(details: object, message: string): void;
}

export interface SendOptions {
  /** Named in messages: Basiq, Zepto. */
  provider: string;
  fetch?: typeof fetch;
  /** Waits for its turn; the call's time-out begins then. */
  waitForTurn?: () => Promise<void>;
  /** For one try, connecting and reading included. */
  timeoutMs?: number;
  retry?: RetryPolicy;
  sleep?: (ms: number) => Promise<void>;
  random?: () => number;
  log?: ProviderLog | undefined;
}

export interface OutgoingRequest {
  /** For messages, such as "list the accounts". */
  purpose: string;
  method: 'GET' | 'POST' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  body?: string;
  /** True if repeating the call does nothing more. */
  isRepeatable: boolean;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed JSON; undefined when there was none. */
  body: unknown;
}

export type Send = (request: OutgoingRequest) => Promise<Answer>;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Sends requests with a time-out, and repeats those that may be repeated when the provider was not reached or said
 * "not now". Answers of every status come back as they are; throws ProviderUnavailable only when there was none.
 */
export function makeSend(options: SendOptions): Send {
  const {
    provider,
    log,
    waitForTurn,
    timeoutMs = 15_000,
    retry = defaultRetryPolicy,
    sleep = pause,
    random = Math.random,
  } = options;
  const fetchNow = options.fetch ?? fetch;
  const limitLines = limitRepeatedLines();

  /** Waits for a further turn; false if none comes. */
  async function hasTurn(): Promise<boolean> {
    try {
      await waitForTurn?.();
      return true;
    } catch (error) {
      if (error instanceof NoFreeTurn) return false;
      throw error;
    }
  }

  /** Returns an answer. Throws ProviderUnavailable if there was none. */
  function answerOf(outcome: Answer | NoAnswer, { purpose }: OutgoingRequest): Answer {
    if (!('failure' in outcome)) return outcome;
    const { failure, cause } = outcome;
    throw new ProviderUnavailable(`${provider} was not reached to ${purpose}: ${failure}`, { cause });
  }

  return async (request) => {
    const { purpose } = request;
    await waitForTurn?.();
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    for (let tries = 1; ; tries += 1) {
      const outcome = await tryOnce(fetchNow, request, timeoutMs);
      const soFar = { tries, elapsedMs: elapsed(), retryAfterMs: retryAfterOf(outcome) };
      const wait = mayRepeat(request, outcome) ? waitBeforeRetry(retry, soFar, random) : undefined;
      if (wait === undefined) return answerOf(outcome, request);
      const reason = 'failure' in outcome ? outcome.failure : outcome.status;
      limitLines(`${purpose} ${reason}`, (leftOut) =>
        log?.warn({ provider, purpose, tries, reason, waitMs: wait, leftOut }, 'provider call failed; retrying'),
      );
      await sleep(wait);
      // The turn may come late or never: then the error reports the provider's own failure, not our limit.
      if (!(await hasTurn()) || elapsed() > retry.givenUpAfterMs) return answerOf(outcome, request);
    }
  };
}

const mayRepeat = ({ isRepeatable }: OutgoingRequest, outcome: Answer | NoAnswer): boolean =>
  isRepeatable && ('failure' in outcome || isPassingStatus(outcome.status));

const retryAfterOf = (outcome: Answer | NoAnswer): number | undefined =>
  'failure' in outcome ? undefined : parseRetryAfter(outcome.headers.get('retry-after'), Date.now());

interface NoAnswer {
  failure: string;
  cause: unknown;
}

async function tryOnce(
  fetchNow: typeof fetch,
  request: OutgoingRequest,
  timeoutMs: number,
): Promise<Answer | NoAnswer> {
  const { method, url, headers, body } = request;
  try {
    const response = await fetchNow(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      // A redirect would carry the token to a host that was not configured.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, headers: response.headers, body: readJson(await response.text()) };
  } catch (cause) {
    const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
    return { failure: isTimeout ? `no answer within ${timeoutMs} ms` : networkReason(cause), cause };
  }
}

/** Returns a code such as ECONNREFUSED: messages can hold addresses. */
function networkReason(cause: unknown): string {
  const inner = cause instanceof Error ? (cause.cause ?? cause) : cause;
  if (inner instanceof Error && 'code' in inner && typeof inner.code === 'string') return inner.code;
  return 'the connection failed';
}
