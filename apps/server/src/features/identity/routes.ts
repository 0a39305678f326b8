import * as contract from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import type { Serve } from '#http/serve.ts';
import type { Clock } from '#ports/clock.ts';
import { userAnswer } from './user-record.ts';

export function identityRoutes(serve: Serve, { db, clock }: { db: Pool; clock: Clock }): void {
  serve.supporter(contract.getUser, (_input, caller) => userAnswer(db, clock, caller.supporterId));
}
