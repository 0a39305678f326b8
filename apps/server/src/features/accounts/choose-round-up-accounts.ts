import type { Pool } from '#db/connect.ts';
import { getSupporter } from '#features/identity/user-record.ts';
import { noteInAuditLog } from '#features/operation/audit-log.ts';
import { invalidInput, notAllowed } from '#http/errors.ts';
import { type Clock, today } from '#ports/clock.ts';
import { listAccounts, saveRoundUpsOn } from './account-repository.ts';

export interface TrackedAccount {
  accountId: string;
  activeRoundUpsEnabled: boolean;
}

/**
 * Tracks these accounts and no others. The list must name exactly the caller's accounts: someone else's id is
 * refused like one that does not exist. An account switched on after onboarding counts from today.
 */
export async function chooseRoundUpAccounts(
  pool: Pool,
  clock: Clock,
  supporterId: string,
  chosen: TrackedAccount[],
): Promise<TrackedAccount[]> {
  const { onboardedOn } = await getSupporter(pool, supporterId);
  const own = new Set((await listAccounts(pool, supporterId)).map((account) => account.id));
  if (chosen.some((account) => !own.has(account.accountId))) throw notAllowed();
  if (new Set(chosen.map((account) => account.accountId)).size !== own.size || chosen.length !== own.size) {
    throw invalidInput('Every account must be named exactly once.');
  }
  const from = onboardedOn ? today(clock) : null;
  await pool.begin(async (tx) => {
    for (const { accountId, activeRoundUpsEnabled } of chosen) {
      await saveRoundUpsOn(tx, supporterId, accountId, activeRoundUpsEnabled, from);
    }
    const details = { tracked: chosen.filter((account) => account.activeRoundUpsEnabled).length };
    await noteInAuditLog(tx, {
      supporterId,
      at: clock.now(),
      actor: 'supporter',
      action: 'chose round-up accounts',
      details,
    });
  });
  return chosen;
}
