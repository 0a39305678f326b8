import { createHash } from 'node:crypto';

/** Time for which a failure is remembered and not tried again; no longer, as the machine may have been at fault. */
const forgottenAfterMs = 600_000;
const maxKept = 500;

export interface RecentFailures {
  add(what: string): void;
  has(what: string): boolean;
}

/** Remembers what failed of late. */
export function recentFailures(): RecentFailures {
  const until = new Map<string, number>();
  const nameOf = (what: string) => createHash('sha256').update(what).digest('base64url');
  return {
    add: (what) => {
      for (const oldest of until.keys()) {
        if (until.size < maxKept) break;
        until.delete(oldest);
      }
      until.set(nameOf(what), performance.now() + forgottenAfterMs);
    },
    has: (what) => (until.get(nameOf(what)) ?? 0) > performance.now(),
  };
}
