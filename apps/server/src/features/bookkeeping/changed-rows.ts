import { addDays, type IsoDate, sydneyTime } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

/** Days before which a row that changed without an entry was not planned. */
const lookBackDays = 10;

/** The days that an audit reads. */
export interface Period {
  /** The last day that was found in order, null for all of history. */
  since: IsoDate | null;
  /** The day after which entries are read: one earlier, as a transaction may have been open over midnight. */
  readAfter: IsoDate;
  /** The instant from which rows of `readAfter` on are. */
  readFrom: Date;
  /** The day from which debits are compared with their neighbours. */
  plannedFrom: IsoDate;
}

export function periodSince(since: IsoDate | null): Period {
  const readAfter = addDays(since ?? beforeAll, -1);
  return {
    since,
    readAfter,
    readFrom: sydneyTime(addDays(readAfter, 1), '00:00'),
    plannedFrom: addDays(readAfter, -lookBackDays),
  };
}

const beforeAll = '2000-01-01' as IsoDate;

/**
 * Lists, in tables of this transaction alone, the entries of the period, the supporters with a change in it, and the
 * debits, deposits and repayments of theirs that it touched. Answers the number of supporters.
 */
export async function listChanges(tx: Db, period: Period, resumeAfter: string | null): Promise<number> {
  const { since, readAfter, plannedFrom } = period;
  await tx`
    create temp table recent_entries on commit drop as
    select supporter_id, source, account, cents, booked_on from ledger_entries where booked_on > ${readAfter}`;
  await tx`create index on recent_entries (supporter_id)`;
  await tx`analyze recent_entries`;
  const begin = sydneyTime(addDays(since ?? beforeAll, 1), '00:00');
  const planned = sydneyTime(plannedFrom, '00:00');
  await tx`
    create temp table changed_supporters on commit drop as
    select row_number() over (order by supporter_id <= ${resumeAfter}::uuid nulls first, supporter_id) as place, supporter_id
    from (
      select supporter_id from recent_entries where booked_on > coalesce(${since}::date, '-infinity')
      union select supporter_id from debits where planned_at >= ${begin} or state = 'submitting'
      union select supporter_id from deposits where planned_at >= ${begin} or state = 'submitting'
      union select supporter_id from receipts where issued_at >= ${begin}
      union select supporter_id from supporters where closed_on > coalesce(${since}::date, '-infinity')
    ) as changed`;
  await tx`create index on changed_supporters (supporter_id)`;
  await tx`
    create temp table changed_sources (supporter_id uuid, id uuid, primary key (supporter_id, id)) on commit drop`;
  await tx`
    insert into changed_sources
    select supporter_id, id from (
      select supporter_id, source as id from recent_entries
      union select supporter_id, id from debits where planned_at >= ${planned} or state = 'submitting'
      union select supporter_id, id from deposits where planned_at >= ${planned} or state = 'submitting'
      union select supporter_id, id from repayments where planned_at >= ${planned} or state = 'submitting'
    ) as changed where supporter_id in (select supporter_id from changed_supporters)`;
  await addConnected(tx);
  await tx`create temp table audited_supporters (
    supporter_id uuid primary key, is_whole boolean, closed_until date, first_seq bigint) on commit drop`;
  const [row] = await tx<{ count: number }[]>`select count(*) as count from changed_supporters`;
  return row?.count ?? 0;
}

/** Adds a repayment's debit, the debits that one collects again, and the repayments of all of these. */
async function addConnected(tx: Db): Promise<void> {
  await tx`analyze changed_sources`;
  await tx`
    insert into changed_sources
    select supporter_id, debit_id from repayments join changed_sources using (supporter_id, id) on conflict do nothing`;
  await tx`
    with recursive collected as (
      select supporter_id, id from changed_sources
      union
      select debit.supporter_id, debit.id from collected join debits debit
        on debit.supporter_id = collected.supporter_id and debit.represented_by = collected.id
    )
    insert into changed_sources select supporter_id, id from collected on conflict do nothing`;
  await tx`
    insert into changed_sources
    select repayment.supporter_id, repayment.id from repayments repayment
    join changed_sources changed on changed.supporter_id = repayment.supporter_id and changed.id = repayment.debit_id
    on conflict do nothing`;
  await tx`analyze changed_sources`;
}

/**
 * Takes the next supporters into the audit. All rows are read of a supporter whose balances were never closed, or
 * whose bank data or campaign came to an end in the period, as these rows are compared with all before.
 */
export async function takeBatch(
  tx: Db,
  { since, plannedFrom, readFrom }: Period,
  size: number,
): Promise<{ taken: number; last: string | null }> {
  await tx`truncate audited_supporters`;
  const [batch] = await tx<{ taken: number; last: string | null }[]>`
    with batch as (
      delete from changed_supporters where place in (select place from changed_supporters order by place limit ${size})
      returning place, supporter_id
    ), added as (
      insert into audited_supporters (supporter_id, closed_until, is_whole)
      select supporter_id, closed_until, ${since}::date is null or closed_until is null
        or exists (select from bank_data_deletions gone where gone.supporter_id = batch.supporter_id and deleted_on > ${plannedFrom})
        or exists (select from campaign_drops gone where gone.supporter_id = batch.supporter_id and dropped_on > ${plannedFrom})
      from batch left join lateral (
        select max(closed_until) as closed_until from ledger_balances balance where balance.supporter_id = batch.supporter_id
      ) as closed on true
    )
    select count(*) as taken, (array_agg(supporter_id order by place desc))[1] as last from batch`;
  await tx`
    update audited_supporters audited set first_seq = least(
      (select min(first_seq) from changed_sources changed join debits debit using (supporter_id, id)
        where changed.supporter_id = audited.supporter_id),
      (select min(round_up_seq) from purchase_refunds refund where refund.supporter_id = audited.supporter_id
        and (taken_off_by is null or exists (select from changed_sources changed
          where changed.supporter_id = refund.supporter_id and changed.id = taken_off_by))),
      (select min(seq) from round_ups week where week.supporter_id = audited.supporter_id and posted_on >= (
        select date_trunc('week', min(posted_on))::date from round_ups fresh
        where fresh.supporter_id = audited.supporter_id and seq > coalesce((
          select seq from round_ups before where before.supporter_id = audited.supporter_id and recorded_at < ${readFrom}
          order by seq desc limit 1), 0))))
    where not is_whole`;
  await tx`analyze audited_supporters`;
  return batch ?? { taken: 0, last: null };
}
