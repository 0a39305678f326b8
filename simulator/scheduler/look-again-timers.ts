import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { isAlive } from './program.ts';

/**
 * Keeps the timers by which a living process looks again at slow work from ringing until the returned function is called:
 * on the virtual clock no work is slow, and how long it takes on this machine is not the seed's choice. They are the ones
 * for which a process would not stay (`ref: false`); pauses after a failure end as ever.
 */
export function stopLookingAgain(): () => void {
  const original = timers.setTimeout;
  const set = (setTimeout: typeof original): void => {
    timers.setTimeout = setTimeout;
    syncBuiltinESMExports();
  };
  set((ms, value, options) =>
    options?.ref === false && isAlive() ? new Promise(() => {}) : original(ms, value, options),
  );
  return () => set(original);
}
