import { AsyncLocalStorage } from 'node:async_hooks';
import { Unavailable } from '#errors.ts';

/** Time within which a server has to come to a commit; later it is void, as its caller may have been refused. */
export const commitWithinMs = 2_000;
/** Longer than the clock of the server and ours drift apart within that time. */
const clocksDriftMs = 20;

/** Thrown into work whose caller was refused: it is no failure of ours. */
export class WorkDropped extends Unavailable {}

/**
 * Somebody who waits for an answer. Once they are refused, their statements fail, their transactions lose their
 * connections, and a commit that is still on its way is void (docs/decisions/database.md#a-silent-database).
 */
export class WaitingCaller {
  readonly #givenUpAt: number;
  readonly #commitMs: number;
  #commits: Set<Promise<unknown>> | undefined;
  #onRefused: Set<() => void> | undefined;
  #voidAt = 0;
  #isRefused = false;
  #isAnswered = false;

  /** Takes the times within which they are certainly answered, and the server has to come to a commit. */
  constructor(longestMs: number, commitMs = commitWithinMs) {
    this.#givenUpAt = performance.now() + longestMs;
    this.#commitMs = commitMs;
  }

  /** True until they have their answer; work that continues after it is not refused any more. */
  get isWaiting(): boolean {
    return this.#isRefused || !this.#isAnswered;
  }

  /**
   * Calls `end` once they are refused and nothing of theirs may still be committed; returns what forgets it. An
   * AbortSignal would do the same at ten times the cost, which every statement has.
   */
  onRefused(end: () => void): () => void {
    const ends = this.#onRefused ?? new Set<() => void>();
    this.#onRefused = ends.add(end);
    return () => void ends.delete(end);
  }

  answered(): void {
    this.#isAnswered = true;
  }

  /** Keeps them from writing; calls `answer` immediately, or as soon as pending commits are made or void. */
  refuse(answer: () => void): void {
    this.#isRefused = true;
    const end = () => {
      answer();
      for (const each of this.#onRefused ?? []) each();
      this.#onRefused?.clear();
    };
    const leftMs = () => this.#voidAt + clocksDriftMs - performance.now();
    const commits = this.#commits ?? new Set();
    if (commits.size === 0 || leftMs() <= 0) {
      end();
      return;
    }
    const { promise: isVoid, resolve } = Promise.withResolvers<void>();
    // A timer counts from the beginning of its turn of the loop, so it may ring before its time has passed.
    const waitOn = () => {
      if (leftMs() <= 0) resolve();
      else timer = setTimeout(waitOn, leftMs());
    };
    let timer = setTimeout(waitOn, leftMs());
    // A caller whose commit was made has a turn to be answered with success.
    const areMade = Promise.allSettled(commits).then(() => new Promise<void>((turn) => setImmediate(turn)));
    void Promise.race([isVoid, areMade]).then(() => {
      clearTimeout(timer);
      end();
    });
  }

  throwIfRefused(): void {
    if (this.#isRefused) throw new WorkDropped();
  }

  /** Begins work unless they are refused, and waits for it no longer than they do. */
  orRefused<Result>(begin: () => Promise<Result>): Promise<Result> {
    if (this.#isRefused) return Promise.reject(new WorkDropped());
    return new Promise<Result>((resolve, reject) => {
      const refuse = () => reject(new WorkDropped());
      const forget = this.onRefused(refuse);
      begin().then(
        (result) => {
          forget();
          if (this.#isRefused) refuse();
          else resolve(result);
        },
        (error: unknown) => {
          forget();
          reject(error);
        },
      );
    });
  }

  /** Sends a commit, telling it in how many milliseconds it is void. */
  async commit<Result>(send: (withinMs: number) => Promise<Result>): Promise<Result> {
    this.throwIfRefused();
    const now = performance.now();
    const voidAt = Math.min(now + this.#commitMs, this.#givenUpAt);
    this.#voidAt = Math.max(this.#voidAt, voidAt);
    const sent = send(voidAt - now);
    const commits = this.#commits ?? new Set<Promise<unknown>>();
    this.#commits = commits.add(sent);
    try {
      return await sent;
    } finally {
      commits.delete(sent);
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
export const orRefused = <Result>(begin: () => Promise<Result>): Promise<Result> =>
  waitingCaller()?.orRefused(begin) ?? begin();
