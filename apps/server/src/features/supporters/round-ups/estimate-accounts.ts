import type { OutputOf, retrieveAccountEstimates } from '@sparechange/contract';
import { addDays, averageWeek, noCents } from '@sparechange/domain';
import { listAccounts } from '#features/supporters/accounts/account-repository.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import { today } from '#ports/clock.ts';
import { type EstimateDeps, purchasesBeforeToday } from './estimate-backdating.ts';
import { estimateSpareChange } from './estimate-spare-change.ts';

type AccountEstimates = OutputOf<typeof retrieveAccountEstimates>['accountEstimates'];

const days = 28;

/** Returns the spare change that each account would have given in an average week of the last four. Records nothing. */
export async function estimateAccounts(deps: EstimateDeps, supporterId: string): Promise<AccountEstimates> {
  const { db, clock } = deps;
  const supporter = await getSupporter(db, supporterId);
  const shown = await purchasesBeforeToday(deps, supporter, addDays(today(clock), -days));
  if (!shown) return null;
  const estimates: NonNullable<AccountEstimates> = [];
  for (const { id } of (await listAccounts(db, supporterId)).slice(0, maxAccounts)) {
    const purchases = shown.filter(({ accountId }) => accountId === id);
    const [cents = noCents] = await estimateSpareChange(db, purchases, [{ step: supporter.roundUpStep, limit: 0 }]);
    estimates.push({ accountId: id, purchases: purchases.length, weeklyCents: averageWeek(cents, days) });
  }
  return estimates;
}

/** Maximum number of accounts, equal to that of the choice. */
const maxAccounts = 100;
