import { runDebits as runDebitsCall } from '@sparechange/contract/console';
import { cents, formatCents, isoDate, longDay, sydneyTime } from '@sparechange/domain';
import { debitRunTime } from '@sparechange/domain/banking-calendar';
import type { DueTask } from '@sparechange/domain/timetable';
import { z } from 'zod';
import { refuseOthers, unlessOver } from '#features/core/approvals/carry-out.ts';
import { defineAct } from '#features/core/approvals/define-act.ts';
import { type RunDeps, runDebits } from './run-debits.ts';

interface DebitRunDeps extends RunDeps {
  /** Lets a task of the timetable be done again. */
  reopenTask(due: DueTask): Promise<void>;
}

const name = 'debit_run';

export const debitRun = defineAct({
  name,
  arguments: z.object({
    date: z.string().transform(isoDate),
    force: z.boolean(),
    confirmed: z.int().nonnegative().transform(cents).nullable().default(null),
    isAfterRestore: z.boolean(),
    upTo: z.coerce.date().nullable().optional(),
  }),
  askedBy: [runDebitsCall],
  isDecidedByFinance: true,
  carryOut: async (deps: DebitRunDeps, { date, force, confirmed, isAfterRestore, upTo }, by, how) => {
    const asked = { ...deps, isAfterRestore, isAskedByPerson: true };
    const run = await unlessOver(runDebits(asked, date, { force, confirmed, upTo }), how);
    if (force || confirmed !== null)
      await refuseOthers(deps, by, { act: name, about: { date } }, 'The run has since been made.');
    if (run.awaitsBalances > 0) await deps.reopenTask({ task: 'debit-run', dueAt: sydneyTime(date, debitRunTime) });
    return run;
  },
  isForOne: async (_deps, { force, confirmed }) => !force && confirmed === null,
  describe: async (_looking, { date, force, confirmed, isAfterRestore }) => ({
    'Run of': longDay(date),
    Confirmed:
      confirmed === null ? undefined : `${formatCents(confirmed)} and up to a tenth more, although it is unusual`,
    Forced: force ? 'yes: on any day, and debiting that is suspended is resumed' : undefined,
    'After a restore': isAfterRestore ? 'yes: the provider is asked for each debit first' : undefined,
  }),
});
