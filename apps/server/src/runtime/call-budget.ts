import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#db/connect.ts';
import { takeFromTokenBucket } from '#db/token-bucket.ts';
import { NoFreeTurn } from '#ports/errors.ts';

const pauseMs = 50;

/** A call that waits longer for its turn is not made; the calls of one sync end within its claim. */
const maxWaitMs = 60_000;

/**
 * Keeps the calls to a provider within a number a second, which all processes share: answers a function that waits for
 * a call's turn, before the call's own time-out begins. A process leases a tenth of a second's calls in one go. Without
 * a number nobody waits.
 */
export function callBudget(
  db: Db,
  provider: string,
  perSecond: number | undefined,
): { waitForTurn?: () => Promise<void> } {
  if (perSecond === undefined) return {};
  const limit = { burst: perSecond, everySeconds: 1 / perSecond };
  const leased = Math.ceil(perSecond / 10);
  let left = 0;
  let leasing: Promise<void> | undefined;
  const lease = async () => {
    if (await takeFromTokenBucket(db, 'rate_limits', `calls of ${provider}`, limit, leased)) left = leased;
    else await sleep(pauseMs);
  };
  const waitForTurn = async () => {
    const giveUpAt = performance.now() + maxWaitMs;
    while (left === 0) {
      if (performance.now() > giveUpAt) throw new NoFreeTurn(`No call to ${provider} was free in time.`);
      leasing ??= lease().finally(() => {
        leasing = undefined;
      });
      await leasing;
    }
    left -= 1;
  };
  return { waitForTurn };
}
