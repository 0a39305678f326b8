import { type Cents, formatCents, type IsoDate } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { type RunTotal, runAnomalyRule } from '@sparechange/domain/run-anomaly';
import type { Db } from '#db/connect.ts';
import { Conflict } from '#errors.ts';

/** A run so far above the usual that an operator has to confirm it. None of it is submitted. */
export class RunAnomaly extends Conflict {
  readonly runDate: IsoDate;
  readonly because: string;
  /** Total of the run, first debits included. */
  readonly cents: Cents;
  constructor(runDate: IsoDate, total: RunTotal, anomalies: string[], confirmed: Cents | null) {
    const phrases = confirmed === null ? anomalies : [...anomalies, `${formatCents(confirmed)} was confirmed`];
    const because = `the run of ${counted(total.debits, 'debit')} and ${formatCents(total.cents)} is unusual: ${phrases.join('; ')}`;
    super(`${because}. See Runs in the console, or debit-run --plan; debit-run --date ${runDate} --confirm runs it.`);
    this.runDate = runDate;
    this.because = because;
    this.cents = total.cents;
  }
}

export interface PastRun extends RunTotal {
  date: IsoDate;
}

/** Lists the last non-empty runs before a day, newest first. */
export function listPastRuns(db: Db, before: IsoDate): Promise<PastRun[]> {
  return db<PastRun[]>`
    select run_date as date, debits, cents from debit_runs where run_date < ${before} and debits > 0
    order by run_date desc limit ${runAnomalyRule.runsRemembered}`;
}
