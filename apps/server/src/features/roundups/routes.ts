import * as contract from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import { getSupporter, userAnswer } from '#features/identity/user-record.ts';
import type { Tenants } from '#features/tenants/load-tenants.ts';
import type { Serve } from '#http/serve.ts';
import type { Clock } from '#ports/clock.ts';
import { saveRoundUpStep, saveWeeklyLimit } from './change-settings.ts';
import { pauseRoundUps, resumeRoundUps } from './pause-round-ups.ts';
import { weeklyOutlook } from './weekly-outlook.ts';

export function roundUpRoutes(serve: Serve, deps: { db: Pool; clock: Clock; tenants: Tenants }): void {
  const { db, clock } = deps;
  serve.supporter(contract.setPaused, async ({ isUserPausedRoundUp }, { supporterId }) => {
    await getSupporter(db, supporterId);
    if (isUserPausedRoundUp) await pauseRoundUps(db, clock, supporterId, 'supporter');
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
    weeklyOutlook: await weeklyOutlook(db, clock, supporterId),
  }));
}
