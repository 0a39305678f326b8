import type { IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { type Audit, auditBooks, checksBySupporter, checksOfTheWhole } from '#features/ledger/audit-books.ts';
import type { Checks } from '#features/ledger/check.ts';

export interface AuditOfChanges extends Audit {
  /** Supporters whose ledger was looked at. */
  supporters: number;
  /** Supporters with entries that there was no time for. */
  leftOut: number;
  /** The last supporter looked at, when some were left out. */
  resumeAfter: string | null;
}

export interface AuditOptions {
  /** Invariants checked besides those of every installation. */
  alsoWanted?: Checks;
  /** Last supporter checked when an audit ran out of time. */
  resumeAfter?: string | null;
  batchSize?: number;
  maxMs?: number;
}

/**
 * Audits the closed days after the given one, and every supporter with an entry since, in batches and for half an hour
 * at most. With no day it looks at everything.
 */
export async function auditChanges(
  db: Pool,
  since: IsoDate | null,
  { alsoWanted = {}, resumeAfter = null, batchSize = 5_000, maxMs = 30 * 60_000 }: AuditOptions = {},
): Promise<AuditOfChanges> {
  const whole = await auditBooks(db, { ...checksOfTheWhole, ...alsoWanted }, since);
  const audit: AuditOfChanges = { ...whole, supporters: 0, leftOut: 0, resumeAfter: null };
  const session = await db.reserve();
  try {
    audit.leftOut = await listChanged(session, since, resumeAfter);
    if (audit.leftOut > 0) await narrowTables(session);
    const endsAt = performance.now() + maxMs;
    while (audit.leftOut > 0 && (audit.supporters === 0 || performance.now() < endsAt)) {
      const { taken, last } = await takeBatch(session, batchSize);
      add(audit, await auditBooks(session, checksBySupporter));
      audit.supporters += taken;
      audit.leftOut -= taken;
      audit.resumeAfter = audit.leftOut > 0 ? last : null;
    }
    return audit;
  } finally {
    await widenTables(session);
    session.release();
  }
}

/** Keeps the changed supporters in a table of this session alone, the one after the given first; counts them. */
async function listChanged(session: Db, since: IsoDate | null, resumeAfter: string | null): Promise<number> {
  await session`
    create temp table changed_supporters as
    select row_number() over (order by supporter_id <= ${resumeAfter}::uuid nulls first, supporter_id) as place, supporter_id
    from (select distinct supporter_id from ledger_entries
      where booked_on > coalesce(${since}::date, '-infinity')) as changed`;
  await session`create temp table audited_supporters (supporter_id uuid primary key)`;
  const [row] = await session<{ count: number }[]>`select count(*) as count from changed_supporters`;
  return row?.count ?? 0;
}

/**
 * Puts views in front of all tables of supporters, for this session alone, so that the checks see the audited
 * supporters and nobody else.
 */
async function narrowTables(session: Db): Promise<void> {
  const tables = await session<{ name: string }[]>`
    select format('%I', relname) as name from pg_class table_ join pg_attribute col on col.attrelid = table_.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and col.attname = 'supporter_id'
      and relname not like 'audit%' order by relname`;
  const views = tables.map(
    ({ name }) =>
      `create temp view ${name} as select * from public.${name} where supporter_id in (select supporter_id from pg_temp.audited_supporters)`,
  );
  await session.unsafe(`${views.join(';\n')};\nset search_path to pg_temp, public`);
}

async function takeBatch(session: Db, batchSize: number): Promise<{ taken: number; last: string | null }> {
  await session`truncate pg_temp.audited_supporters`;
  const [batch] = await session<{ taken: number; last: string | null }[]>`
    with batch as (
      delete from pg_temp.changed_supporters where place in (
        select place from pg_temp.changed_supporters order by place limit ${batchSize})
      returning place, supporter_id
    ), added as (insert into pg_temp.audited_supporters select supporter_id from batch)
    select count(*) as taken, (array_agg(supporter_id order by place desc))[1] as last from batch`;
  await session`analyze pg_temp.audited_supporters`;
  return batch ?? { taken: 0, last: null };
}

/** A connection that is gone has nothing to put back. */
async function widenTables(session: Db): Promise<void> {
  await session.unsafe('reset search_path; discard temp').catch(() => {});
}

function add(audit: Audit, batch: Audit): void {
  for (const violation of batch.violations) if (audit.violations.length < maxListed) audit.violations.push(violation);
  for (const [name, count] of Object.entries(batch.checked)) audit.checked[name] = (audit.checked[name] ?? 0) + count;
  audit.found += batch.found;
}

const maxListed = 1_000;
