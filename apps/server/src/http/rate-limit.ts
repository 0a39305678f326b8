import { createHash } from 'node:crypto';
import type { Pool } from '#db/connect.ts';
import { deleteFullTokenBuckets, type Limit as SharedLimit, takeFromTokenBucket } from '#db/token-bucket.ts';
import { onBehalfOfNobody, orRefused } from '#db/waiting-caller.ts';

/** A call limit, which servers take from a shared bucket. */
export interface Limit extends SharedLimit {
  /**
   * Calls taken from the shared bucket in one go and then spent by this server alone, so that the database is asked
   * once for many. Calls not spent within ten seconds are forgone.
   */
  lease: number;
}

/** Takes one call from the token bucket `name` of `about`; returns 0, or for how many seconds there is none. */
export type TakeCall = (name: string, about: string, limit: Limit) => Promise<number> | number;

export interface RateLimits {
  take: TakeCall;
  /** Forgets what no longer limits anybody. */
  tidy(): Promise<void>;
}

interface Lease {
  left: number;
  /** Milliseconds of the monotonic clock, as below. */
  until: number;
  /** Until then the shared bucket is empty and not asked. */
  emptyUntil: number;
  emptyForSeconds: number;
}

const leaseMs = 10_000;
const maxLeases = 20_000;
/** From this size on a lease is renewed when half of it is spent, so that nobody waits for the database. */
const wideLease = 20;

/**
 * Limits kept in PostgreSQL and shared by every server on it. `factor` widens every limit, 0 turns them off.
 */
export function rateLimits(db: Pool, factor = 1): RateLimits {
  const leases = new Map<string, Lease>();
  const asking = new Map<string, Promise<void>>();

  const ask = async (name: string, id: string, { burst, everySeconds, lease }: Limit): Promise<void> => {
    const key = createHash('sha256').update(id).digest('base64url');
    const every = everySeconds / factor;
    const shared = { burst: burst * factor, everySeconds: every };
    const isTaken = await takeFromTokenBucket(db, 'rate_limits', `${name} ${key}`, shared, lease);
    const now = performance.now();
    const left = leases.get(id)?.left ?? 0;
    for (const oldest of leases.keys()) {
      if (leases.size < maxLeases) break;
      leases.delete(oldest);
    }
    leases.set(id, {
      left: isTaken ? left + lease : left,
      until: now + leaseMs,
      emptyUntil: isTaken ? 0 : now + Math.min(leaseMs, every * lease * 1_000),
      emptyForSeconds: Math.max(1, Math.ceil(every * lease)),
    });
  };

  const askOnce = (name: string, id: string, limit: Limit): Promise<void> => {
    const asked = asking.get(id) ?? onBehalfOfNobody(() => ask(name, id, limit)).finally(() => asking.delete(id));
    asking.set(id, asked);
    return asked;
  };

  const spend = (name: string, id: string, limit: Limit): number | undefined => {
    const held = leases.get(id);
    const now = performance.now();
    if (!held || now >= Math.max(held.until, held.emptyUntil)) {
      if (held) held.left = 0;
      return undefined;
    }
    if (held.left === 0) return now < held.emptyUntil ? held.emptyForSeconds : undefined;
    held.left -= 1;
    const isHalfSpent = limit.lease >= wideLease && held.left < limit.lease / 2;
    if (isHalfSpent && now >= held.emptyUntil) askOnce(name, id, limit).catch(() => {}); // who finds it spent asks again
    return 0;
  };

  const askAndSpend = async (name: string, id: string, limit: Limit): Promise<number> => {
    for (;;) {
      const known = spend(name, id, limit);
      if (known !== undefined) return known;
      await orRefused(() => askOnce(name, id, limit));
    }
  };

  return {
    take: (name, about, limit) => {
      if (factor === 0) return 0;
      const id = `${name} ${about}`;
      return spend(name, id, limit) ?? askAndSpend(name, id, limit);
    },
    tidy: () => deleteFullTokenBuckets(db, 'rate_limits'),
  };
}
