import type { Db } from '#db/connect.ts';

/** Names the lock of planning in a bucket. */
export const planningLock = ({ scope }: Db): string => `sparechange.plan debits${scope.path ? ` ${scope.path}` : ''}`;

/** Waits for a planning that may be under way: it goes by everybody's consent as it was at its start. */
export async function lockAgainstPlanning(tx: Db): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext(${planningLock(tx)}))`;
}
