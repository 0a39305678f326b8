import type { IsoDate } from '@sparechange/domain';
import { type DueTask, notYet } from '@sparechange/domain/timetable';
import type { Logger } from 'pino';
import { withFailureLog } from '#features/core/supporter-work/with-failure-log.ts';
import { type MandateDeps, pollMandates } from './check-mandates.ts';
import { type RunDeps, runDueDebits } from './run-debits.ts';

const mandatesNotAnswered = 'the payment provider did not answer about mandates';

export const debitTasks = {
  'mandate-poll': (deps: MandateDeps & { log: Logger }) =>
    withFailureLog(deps, mandatesNotAnswered, (onFailure) => pollMandates(deps, onFailure)),
  'debit-run': async (deps: RunDeps, _due: DueTask, day: IsoDate) => {
    const run = await runDueDebits(deps, day);
    return run.awaitsBalances > 0 ? notYet : run;
  },
};
