import { addDays, type IsoDate, sydneyDay } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

export type BookCheckKind = 'nightly_audit' | 'full_audit' | 'reconciliation';

export interface BookCheck {
  kind: BookCheckKind;
  startedAt: Date;
  tookMs: number;
  coveredUntil?: IsoDate | null;
  /** Day at whose end balances were closed. */
  closedUntil?: IsoDate | null;
  /** Number of violations, or of differences with the provider. */
  found: number;
  /** Number of supporters left out for lack of time. */
  leftOut?: number;
  /** Last supporter audited, where the next audit continues; null after a whole one. */
  resumeAfter?: string | null;
}

/** Records a check of the books, once for its kind and start. */
export async function recordBookCheck(db: Db, check: BookCheck): Promise<void> {
  const {
    kind,
    startedAt,
    tookMs,
    coveredUntil = null,
    closedUntil = null,
    found,
    leftOut = 0,
    resumeAfter = null,
  } = check;
  await db`
    insert into book_checks (kind, started_at, took_ms, covered_until, closed_until, found, left_out, resume_after)
    values (${kind}, ${startedAt}, ${Math.round(tookMs)}, ${coveredUntil}, ${closedUntil}, ${found}, ${leftOut}, ${resumeAfter})
    on conflict do nothing`;
}

/** Returns the last day up to which a nightly audit found no violation, and the last supporter of an unfinished one. */
export async function findAuditProgress(db: Db): Promise<{ cleanUntil: IsoDate | null; resumeAfter: string | null }> {
  const [row] = await db<{ cleanUntil: IsoDate | null; resumeAfter: string | null }[]>`
    select (select max(covered_until) from book_checks
        where kind = 'nightly_audit' and closed_until is not null and found = 0 and left_out = 0) as "cleanUntil",
      (select resume_after from book_checks where kind = 'nightly_audit' order by started_at desc limit 1) as "resumeAfter"`;
  return row ?? { cleanUntil: null, resumeAfter: null };
}

const columns = (db: Db) => db`
  kind, started_at as "startedAt", took_ms as "tookMs", covered_until as "coveredUntil", closed_until as "closedUntil", found,
  left_out as "leftOut", resume_after as "resumeAfter"`;

/** Returns the last check of each kind. */
export async function listLastBookChecks(db: Db): Promise<Required<BookCheck>[]> {
  const checks = await db<Required<BookCheck>[]>`
    select distinct on (kind) ${columns(db)} from book_checks order by kind, started_at desc`;
  return [...checks];
}

/** Lists checks, newest first: the last ones, or those before a moment. */
export async function listBookChecks(db: Db, limit: number, before?: Date): Promise<Required<BookCheck>[]> {
  const checks = await db<Required<BookCheck>[]>`
    select ${columns(db)} from book_checks
    where ${before ?? null}::timestamptz is null or started_at < ${before ?? null}
    order by started_at desc, kind limit ${limit}`;
  return [...checks];
}

const fullAuditEveryDays = 7;

/**
 * Returns the last supporter of an unfinished full audit, null for its beginning, or undefined while none is due: a
 * week after the last one, by hand or by night, or else after the first nightly audit. Days are compared, as nights do
 * not begin at exactly the same time.
 */
export async function findDueFullAudit(db: Db, now: Date): Promise<{ resumeAfter: string | null } | undefined> {
  const [last] = await db<{ resumeAfter: string | null; isDue: boolean }[]>`
    select resume_after as "resumeAfter", resume_after is not null
      or (started_at at time zone 'Australia/Sydney')::date <= ${addDays(sydneyDay(now), -fullAuditEveryDays)}::date as "isDue"
    from (
      select started_at, resume_after from book_checks where kind = 'full_audit'
      union all (select started_at, null from book_checks where kind = 'nightly_audit' order by started_at limit 1)
    ) as check_ order by started_at desc limit 1`;
  return last?.isDue ? { resumeAfter: last.resumeAfter } : undefined;
}
