import type { DueTask } from '@sparechange/domain/timetable';
import type { Logger } from 'pino';
import type { Pool } from '#db/connect.ts';
import { inEachBucket, sumsOf } from '#db/in-each-bucket.ts';
import { enqueuePass, type WorkDeps } from '#features/core/supporter-work/do-work.ts';
import { withFailureLog } from '#features/core/supporter-work/with-failure-log.ts';
import type { Clock } from '#ports/clock.ts';
import { endPauses } from './end-pauses.ts';
import { syncPass } from './sync-purchases.ts';

const pausesNotEnded = 'the pauses of supporters could not be ended';

export const roundUpTasks = {
  'end-pauses': async (deps: { db: Pool; clock: Clock; log: Logger }) =>
    sumsOf(
      await withFailureLog(deps, pausesNotEnded, (onFailure) =>
        inEachBucket(deps.db, (db) => endPauses({ ...deps, db }, onFailure)),
      ),
    ),
  sync: (deps: WorkDeps, { dueAt }: DueTask) => enqueuePass(deps, { ...syncPass, dueAt }),
};
