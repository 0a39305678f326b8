import { type Pauses, pausesOf } from '@sparechange/domain/retry-plan';
import type { Part, Value } from './compose.ts';
import type { Db } from './tag.ts';

/**
 * Columns of a table of work that falls due: emails, deliveries, work for supporters. Statements name the table themselves;
 * conditions, order and assignments come from here, pauses from packages/domain/src/retry-plan.ts.
 */
export interface DueColumns {
  key: readonly string[];
  dueAt: string;
  /** Instant until which a process has a row in hand. */
  claimedUntil?: string;
  /** Set while a row is not tried any more. */
  parkedAt?: string;
  tries?: string;
  failingSince?: string;
  /** Reason for the last failure. */
  failure?: string;
}

type Instant = Date | Part;

/** Condition on a row: it is due, and no process has it in hand. Claims lapse by the clock of `lapsedBy`. */
export const isFree = (db: Db, { dueAt, claimedUntil }: DueColumns, now: Instant, lapsedBy = now) => db`
  ${db(dueAt)} <= ${now} ${claimedUntil ? db`and coalesce(${db(claimedUntil)} <= ${lapsedBy}, true)` : db``}`;

interface ClaimOrder {
  /** Selects the keys of rows that may be claimed. */
  due: Part;
  /** Takes precedence over the time when rows are due; ends with a comma. */
  first?: Part;
  limit: number | Part;
  /** Updates the table, as `work`, so that other processes leave a row alone. */
  mark: Part;
}

/**
 * Parts of a statement that claim rows as `claimed`, longest due first. Concurrent callers get different rows, and none
 * waits for another.
 */
export function claim(db: Db, { key, dueAt }: DueColumns, { due, first = db``, limit, mark }: ClaimOrder) {
  const isSame = key.map((column, at) => db`${at === 0 ? db`` : db`and`} work.${db(column)} = due.${db(column)}`);
  return db`
    due as materialized (
      ${due} order by ${first} ${db([dueAt, ...key])} limit ${limit} for update skip locked
    ), claimed as (
      ${mark} from due where ${isSame} returning work.*
    )`;
}

/** Expression for the pause after one more failed try than a column counts. */
export function pauseAfterNext(db: Db, plan: Pauses, tries: Part) {
  const pauses = pausesOf(plan);
  return db`(${pauses}::int[])[least(${tries} + 1, ${pauses.length}::int)] * interval '1 millisecond'`;
}

/** Column of a row's state, and its new value. */
type Assignment = [column: string | undefined, value: Value | Part];

/** Assigns values to those columns that the table has. */
const assigned = (db: Db, assignments: Assignment[]) =>
  assignments
    .flatMap(([column, value]) => (column === undefined ? [] : [{ column, value }]))
    .map(({ column, value }, at) => db`${at === 0 ? db`` : db`,`} ${db(column)} = ${value}`);

interface AfterAttempt {
  /** The next try; null if none follows. */
  dueAt: Instant | null;
  parkedAt: Date | null;
}

/** Assignments after an attempt: no process has the row in hand, and it is tried again or not. */
export const afterAttempt = (db: Db, columns: DueColumns, { dueAt, parkedAt }: AfterAttempt) =>
  assigned(db, [
    [columns.dueAt, dueAt],
    [columns.parkedAt, parkedAt],
    [columns.claimedUntil, null],
  ]);

/** Assignments that forget all failures, also of a row in hand: it is due at `dueAt`, or with null not until it is marked. */
export const startAgain = (db: Db, columns: DueColumns, dueAt: Date | null, failingSince: Date | null = null) =>
  assigned(db, [
    [columns.dueAt, dueAt],
    [columns.parkedAt, null],
    [columns.claimedUntil, null],
    [columns.tries, 0],
    [columns.failingSince, failingSince],
    [columns.failure, null],
  ]);

/** Counts the rows of a table that wait, under a name. */
export interface Waiting {
  name: string;
  waiting: number;
  /** Time since which the longest has waited. */
  oldestAt: Date | null;
}

/** Beginning of a statement that counts rows, as `Waiting`. */
export const countWaiting = (db: Db, { dueAt }: Pick<DueColumns, 'dueAt'>, name: string) => db`
  select ${name}::text as name, count(*)::int as waiting, min(${db(dueAt)}) as "oldestAt"`;
