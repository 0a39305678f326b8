import type { Db } from '#db/connect.ts';
import { revokeWithdrawn, type WithdrawalDeps } from '#features/supporters/consents/withdraw-consent.ts';
import { cancelMandates } from './cancel-mandates.ts';
import { finishClosing } from './close-supporter.ts';
import type { DeletionDeps } from './delete-bank-data.ts';

/**
 * Lists supporters with work left because a provider did not answer when they left or withdrew. A mandate without a
 * funding account is left by stopping debits, or by a choice of account whose answer was lost.
 */
export async function listUnfinished(
  db: Db,
  agreedBetween: { from: Date; to: Date },
  after: string,
  limit: number,
): Promise<{ supporterId: string; isClosed: boolean }[]> {
  return db<{ supporterId: string; isClosed: boolean }[]>`
    select supporter_id as "supporterId", closed_on is not null as "isClosed" from supporters leaving
    where supporter_id > ${after} and ((closed_on is not null and consent_active) or consent_revoking_since is not null
      or (exists (select from mandates mandate where mandate.supporter_id = leaving.supporter_id
          and cancelled_at is null
          and (mandate_ref is not null or agreed_at between ${agreedBetween.from} and ${agreedBetween.to}))
        and not exists (select from accounts where accounts.supporter_id = leaving.supporter_id and is_funding)))
    order by supporter_id limit ${limit}`;
}

export async function finishOffboarding(
  deps: DeletionDeps & WithdrawalDeps,
  { supporterId, isClosed }: { supporterId: string; isClosed: boolean },
): Promise<void> {
  if (isClosed) await finishClosing(deps, supporterId, 'timetable');
  else {
    await cancelMandates(deps, supporterId, { unlessFunding: true });
    await revokeWithdrawn(deps, supporterId);
  }
}
