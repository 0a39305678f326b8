import type { Db } from '#db/connect.ts';

export type PassTask = 'sync' | 'consent_poll';

export interface PassProgress {
  /** Where the previous pass ended, so nobody is always last. */
  beganAfter: string;
  reached: string;
  hasWrapped: boolean;
  isSwept: boolean;
  attempted: number;
}

/** Sorts before every supporter's id: where a pass begins. */
export const beforeEverybody = '00000000-0000-0000-0000-000000000000';

export const freshProgress = (): PassProgress => ({
  beganAfter: beforeEverybody,
  reached: beforeEverybody,
  hasWrapped: false,
  isSwept: false,
  attempted: 0,
});

/** Takes up the pass that is due, or begins it. */
export async function beginPass(db: Db, task: PassTask, dueAt: Date): Promise<PassProgress> {
  const [progress] = await db<PassProgress[]>`
    insert into bank_passes as pass (task, due_at, began_after, reached) values (${task}, ${dueAt}, ${beforeEverybody}, ${beforeEverybody})
    on conflict (task) do update set due_at = excluded.due_at,
      began_after = case when pass.due_at < excluded.due_at then pass.reached else pass.began_after end,
      has_wrapped = pass.has_wrapped and pass.due_at >= excluded.due_at,
      is_swept = pass.is_swept and pass.due_at >= excluded.due_at,
      attempted = case when pass.due_at < excluded.due_at then 0 else pass.attempted end,
      failed = case when pass.due_at < excluded.due_at then 0 else pass.failed end
    returning began_after as "beganAfter", reached, has_wrapped as "hasWrapped", is_swept as "isSwept", attempted`;
  return progress ?? freshProgress();
}

export async function savePass(db: Db, task: PassTask, dueAt: Date, progress: PassProgress): Promise<void> {
  await db`
    update bank_passes set reached = ${progress.reached}, has_wrapped = ${progress.hasWrapped},
      is_swept = ${progress.isSwept}, attempted = ${progress.attempted}
    where task = ${task} and due_at = ${dueAt}`;
}

/** Counts whom a pass has failed for and not yet succeeded, and keeps the figure for whoever watches. */
export async function countFailed(db: Db, task: PassTask, dueAt: Date): Promise<number> {
  const [pass] = await db<{ failed: number }[]>`
    update bank_passes set failed = (
      select count(*) from bank_pass_failures failure where failure.task = bank_passes.task and failed_at >= due_at)
    where task = ${task} and due_at = ${dueAt} returning failed`;
  return pass?.failed ?? 0;
}

/** Records of a page whom the bank link answered about; the others are tried again after 1, 2, 4 … and at most 10 minutes. */
export async function recordAttempts(
  db: Db,
  task: PassTask,
  now: Date,
  { answered, failed }: { answered: string[]; failed: string[] },
): Promise<void> {
  if (answered.length > 0)
    await db`delete from bank_pass_failures where task = ${task} and supporter_id = any(${answered})`;
  if (failed.length === 0) return;
  await db`
    insert into bank_pass_failures as known (supporter_id, task, failed_at, tries, next_try_at)
    select supporter_id, ${task}, ${now}, 1, ${now}::timestamptz + interval '1 minute'
    from unnest(${failed}::uuid[]) as supporter_id order by supporter_id
    on conflict (supporter_id, task) do update set failed_at = excluded.failed_at, tries = known.tries + 1,
      next_try_at = ${now}::timestamptz + least(10, 2 ^ least(known.tries, 5)) * interval '1 minute'`;
}

export async function listToTryAgain(
  db: Db,
  task: PassTask,
  { dueAt, now, limit }: { dueAt: Date; now: Date; limit: number },
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select supporter_id as id from bank_pass_failures
    where task = ${task} and failed_at >= ${dueAt} and next_try_at <= ${now}
    order by next_try_at, supporter_id limit ${limit}`;
  return rows.map(({ id }) => id);
}

export interface PassState {
  task: PassTask;
  dueAt: Date;
  attempted: number;
  failed: number;
}

export function listPasses(db: Db): Promise<PassState[]> {
  return db<PassState[]>`select task, due_at as "dueAt", attempted, failed from bank_passes order by task`;
}
