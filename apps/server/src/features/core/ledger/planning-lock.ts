import type { Db } from '#db/connect.ts';

export const planningLock = ({ scope }: Db): string => `sparechange.plan debits${scope.path ? ` ${scope.path}` : ''}`;

/** Waits for planning under way, which uses everybody's consent as it was when it started. */
export async function lockAgainstPlanning(tx: Db): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext(${planningLock(tx)}))`;
}
