import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { InvalidInput, NotAllowed } from '#errors.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import { type Clock, today } from '#ports/clock.ts';
import { listAccounts, saveRoundUpsOn, stopTrackingMissing } from './account-repository.ts';

export interface TrackedAccount {
  accountId: string;
  activeRoundUpsEnabled: boolean;
}

/**
 * Tracks only these accounts, missing ones included. The list must name exactly the accounts that the bank shows. An
 * account switched on after onboarding counts from today.
 */
export async function chooseRoundUpAccounts(
  pool: Pool,
  clock: Clock,
  supporterId: string,
  chosen: TrackedAccount[],
): Promise<TrackedAccount[]> {
  const { onboardedOn } = await getSupporter(pool, supporterId);
  const own = await listAccounts(pool, supporterId);
  refuseOtherLists(
    own.map(({ id }) => id),
    chosen.map(({ accountId }) => accountId),
  );
  const from = onboardedOn ? today(clock) : null;
  await pool.begin(async (tx) => {
    for (const { accountId, activeRoundUpsEnabled } of chosen) {
      await saveRoundUpsOn(tx, supporterId, accountId, activeRoundUpsEnabled, from);
    }
    await stopTrackingMissing(tx, supporterId);
    const details = { tracked: chosen.filter((account) => account.activeRoundUpsEnabled).length };
    await appendToAuditLog(tx, {
      supporterId,
      at: clock.now(),
      actor: 'supporter',
      action: 'chose round-up accounts',
      details,
    });
  });
  return chosen;
}

/**
 * Refuses a list that does not name each of the caller's accounts once; another supporter's id is treated like an
 * unknown one.
 */
export function refuseOtherLists(own: string[], named: string[]): void {
  const known = new Set(own);
  if (named.some((name) => !known.has(name))) throw new NotAllowed();
  if (named.length !== known.size || new Set(named).size !== known.size) {
    throw new InvalidInput('Every account must be named exactly once.');
  }
}
