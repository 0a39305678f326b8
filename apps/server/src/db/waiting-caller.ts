import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import { Unavailable } from '#errors.ts';

/** Time within which a server has to come to a commit; later it is void, as its caller may have been refused. */
export const commitWithinMs = 2_000;

/** Thrown into work whose caller was refused: it is no failure of ours. */
export class WorkDropped extends Unavailable {}

/**
 * Somebody who waits for an answer. Once they are refused, their statements fail, their transactions lose their
 * connections, and a commit that is still on its way is void (docs/decisions/database.md#a-silent-database).
 */
export class WaitingCaller {
  readonly #cut = new AbortController();
  readonly #givenUpAt: number;
  readonly #commits = new Set<Promise<unknown>>();
  #voidAt = 0;
  #isRefused = false;
  #isAnswered = false;

  /** Takes the time within which they are certainly answered. */
  constructor(longestMs: number) {
    this.#givenUpAt = performance.now() + longestMs;
    setMaxListeners(0, this.#cut.signal); // one of each statement that is under way
  }

  /** True until they have their answer; work that continues after it is not refused any more. */
  get isWaiting(): boolean {
    return this.#isRefused || !this.#isAnswered;
  }

  /** Is aborted once they are refused and nothing of theirs may still be committed. */
  get refused(): AbortSignal {
    return this.#cut.signal;
  }

  answered(): void {
    this.#isAnswered = true;
  }

  /** Keeps them from writing; calls `answer` immediately, or as soon as pending commits are made or void. */
  refuse(answer: () => void): void {
    this.#isRefused = true;
    const end = () => {
      answer();
      this.#cut.abort();
    };
    const leftMs = this.#voidAt - performance.now();
    if (this.#commits.size === 0 || leftMs <= 0) {
      end();
      return;
    }
    const { promise: isVoid, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, leftMs);
    // A caller whose commit was made has a turn to be answered with success.
    const areMade = Promise.allSettled(this.#commits).then(() => new Promise<void>((turn) => setImmediate(turn)));
    void Promise.race([isVoid, areMade]).then(() => {
      clearTimeout(timer);
      end();
    });
  }

  throwIfRefused(): void {
    if (this.#isRefused) throw new WorkDropped();
  }

  /** Waits for work, but no longer than the caller does. */
  async orRefused<Result>(work: Promise<Result>): Promise<Result> {
    const { promise: refused, reject } = Promise.withResolvers<never>();
    const refuse = () => reject(new WorkDropped());
    if (this.#isRefused) refuse();
    this.refused.addEventListener('abort', refuse, { once: true });
    try {
      const result = await Promise.race([work, refused]);
      this.throwIfRefused();
      return result;
    } finally {
      this.refused.removeEventListener('abort', refuse);
    }
  }

  /** Sends a commit, telling it in how many milliseconds it is void. */
  async commit<Result>(send: (withinMs: number) => Promise<Result>): Promise<Result> {
    this.throwIfRefused();
    const now = performance.now();
    const voidAt = Math.min(now + commitWithinMs, this.#givenUpAt);
    this.#voidAt = Math.max(this.#voidAt, voidAt);
    const sent = send(voidAt - now);
    this.#commits.add(sent);
    try {
      return await sent;
    } finally {
      this.#commits.delete(sent);
    }
  }
}

const callers = new AsyncLocalStorage<WaitingCaller | undefined>();

/** Does all that `work` begins on behalf of a caller. */
export const onBehalfOf = <Result>(caller: WaitingCaller, work: () => Result): Result => callers.run(caller, work);

/** Does work that callers have in common, or that outlasts them: no refusal ends it. */
export const onBehalfOfNobody = <Result>(work: () => Result): Result => callers.run(undefined, work);

/** Returns the caller on whose behalf we work now; undefined in jobs and commands, and once the answer is given. */
export function waitingCaller(): WaitingCaller | undefined {
  const caller = callers.getStore();
  return caller?.isWaiting ? caller : undefined;
}

/** Waits for work no longer than the present caller does. */
export const orRefused = <Result>(work: Promise<Result>): Promise<Result> => waitingCaller()?.orRefused(work) ?? work;
