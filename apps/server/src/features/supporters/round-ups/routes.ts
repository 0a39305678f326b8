import * as contract from '@sparechange/contract';
import { isoDate } from '@sparechange/domain';
import { upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import type { Pool } from '#db/connect.ts';
import { getSupporter, userAnswer } from '#features/supporters/profiles/user-record.ts';
import type { Serve } from '#http/serve.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { saveRoundUpStep, saveWeeklyLimit } from './change-settings.ts';
import { estimateAccounts } from './estimate-accounts.ts';
import { estimateBackdating } from './estimate-backdating.ts';
import { pauseRoundUps, resumeRoundUps } from './pause-round-ups.ts';
import { projectWeek } from './weekly-projection.ts';

interface RoundUpDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
  bankLink: BankLink;
  statementName: string;
}

export function roundUpRoutes(serve: Serve, deps: RoundUpDeps): void {
  const { db, clock } = deps;
  serve.supporter(contract.setPaused, async ({ isUserPausedRoundUp, until }, { supporterId }) => {
    await getSupporter(db, supporterId);
    if (isUserPausedRoundUp)
      await pauseRoundUps(db, clock, supporterId, 'supporter', until ? isoDate(until) : undefined);
    else await resumeRoundUps(db, clock, supporterId);
    return userAnswer(deps, supporterId);
  });

  serve.supporter(contract.setRoundUpAmount, async ({ roundupAmountCents }, { supporterId }) => {
    await getSupporter(db, supporterId);
    await saveRoundUpStep(db, clock, supporterId, roundupAmountCents);
    return userAnswer(deps, supporterId);
  });

  serve.supporter(contract.setWeeklyLimit, async ({ weeklyMaximumLimit }, { supporterId }) => {
    await getSupporter(db, supporterId);
    await saveWeeklyLimit(db, clock, supporterId, weeklyMaximumLimit);
    return userAnswer(deps, supporterId);
  });

  serve.supporter(contract.retrieveWeeklyOutlook, async (_input, { supporterId }) => ({
    weeklyOutlook: await projectWeek(db, clock, supporterId),
  }));

  serve.supporter(contract.retrieveBackdating, async (_input, { supporterId }) => ({
    backdating: await estimateBackdating(deps, supporterId),
    firstDebitOn: upcomingDebitDay(clock.now()),
  }));

  serve.supporter(contract.retrieveAccountEstimates, async (_input, { supporterId }) => ({
    accountEstimates: await estimateAccounts(deps, supporterId),
  }));
}
