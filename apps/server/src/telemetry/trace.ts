import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

const running = new AsyncLocalStorage<string>();

/** The id of the request, or of the job it asked for, in which this code runs; nothing at start-up and in timers. */
export const currentTrace = (): string | undefined => running.getStore();

/** Runs something as part of a request: all its log lines, and the jobs it asks for, carry the same id. */
export const traced = <Result>(id: string | undefined, run: () => Result): Result =>
  running.run(id ?? randomUUID(), run);
