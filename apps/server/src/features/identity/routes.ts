import * as contract from '@sparechange/contract';
import type { Serve } from '#http/serve.ts';
import { type UserRecordDeps, userAnswer } from './user-record.ts';

export function identityRoutes(serve: Serve, deps: UserRecordDeps): void {
  serve.supporter(contract.getUser, (_input, caller) => userAnswer(deps, caller.supporterId));
}
