import * as contract from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import { getSupporter, userAnswer } from '#features/identity/user-record.ts';
import type { Serve } from '#http/serve.ts';
import type { Clock } from '#ports/clock.ts';
import { saveRoundUpStep, saveWeeklyLimit } from './change-settings.ts';
import { pauseRoundUps, resumeRoundUps } from './pause-round-ups.ts';

export function roundUpRoutes(serve: Serve, { db, clock }: { db: Pool; clock: Clock }): void {
  serve.supporter(contract.setPaused, async ({ isUserPausedRoundUp }, { supporterId }) => {
    await getSupporter(db, supporterId);
    if (isUserPausedRoundUp) await pauseRoundUps(db, clock, supporterId, 'supporter');
    else await resumeRoundUps(db, clock, supporterId);
    return userAnswer(db, clock, supporterId);
  });

  serve.supporter(contract.setRoundUpAmount, async ({ roundupAmountCents }, { supporterId }) => {
    await getSupporter(db, supporterId);
    await saveRoundUpStep(db, clock, supporterId, roundupAmountCents);
    return userAnswer(db, clock, supporterId);
  });

  serve.supporter(contract.setWeeklyLimit, async ({ weeklyMaximumLimit }, { supporterId }) => {
    await getSupporter(db, supporterId);
    await saveWeeklyLimit(db, clock, supporterId, weeklyMaximumLimit);
    return userAnswer(db, clock, supporterId);
  });
}
