import { setTimeout as sleep } from 'node:timers/promises';
import { limitRepeatedLines } from '#repeated-lines.ts';

export interface Repeated {
  /** Waits some seconds for work under way, then abandons it. */
  stop(): Promise<void>;
}

const pauseMs = 1_000;
const patienceMs = 4_000;

/** Does work over and over, a second after it ended; its errors are logged once a minute and cause. */
export function repeat(work: (signal: AbortSignal) => Promise<unknown>, onError: (error: unknown) => void): Repeated {
  const stopping = new AbortController();
  const { signal } = stopping;
  const limitLines = limitRepeatedLines();
  const run = async () => {
    while (!signal.aborted) {
      await work(signal).catch((error) => limitLines(String(error), () => onError(error)));
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  };
  const ended = run();
  return {
    stop: async () => {
      stopping.abort();
      await Promise.race([ended, sleep(patienceMs)]);
    },
  };
}
