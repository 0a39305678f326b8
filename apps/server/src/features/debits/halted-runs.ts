import type { Db } from '#db/connect.ts';
import { Refusal } from '#http/errors.ts';
import type { Clock } from '#ports/clock.ts';
import type { Debit } from './debit-repository.ts';

/** Halts all debiting until an operator has looked (design 7.6, code 8); it is noted with the run that showed why. */
export async function haltRuns(
  db: Db,
  clock: Clock,
  { runDate }: Pick<Debit, 'runDate'>,
  because: string,
): Promise<void> {
  await db`
    insert into debit_runs as run (run_date, halted_at, halted_because) values (${runDate}, ${clock.now()}, ${because})
    on conflict (run_date) do update set halted_at = excluded.halted_at, halted_because = excluded.halted_because,
      resumed_at = null
    where run.halted_at is null or run.resumed_at is not null`;
}

/** Throws while any run is halted: what made it halt would meet the next one as well. */
export async function refuseWhileHalted(db: Db): Promise<void> {
  const [halted] = await db<{ date: string; because: string }[]>`
    select run_date as date, halted_because as because from debit_runs where halted_at is not null and resumed_at is null
    order by run_date limit 1`;
  if (halted)
    throw new Refusal(
      409,
      'conflict',
      `Debiting is halted since the run of ${halted.date}: ${halted.because}. Once that is mended, debit-run --force lifts the halt.`,
    );
}

/** Lifts every halt, for the operator who has looked and says so. */
export async function liftHalts(db: Db, clock: Clock): Promise<void> {
  await db`update debit_runs set resumed_at = ${clock.now()} where halted_at is not null and resumed_at is null`;
}
