import { addDays, type IsoDate, sydneyTime } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

/** Days before which a row that changed without an entry was not planned. */
const lookBackDays = 10;

/** The days that an audit reads. */
export interface Period {
  /** The last day that was found in order. */
  since: IsoDate;
  /** The day after which entries are read: one earlier, as a transaction may have been open over midnight. */
  readAfter: IsoDate;
  /** The day from which debits are compared with their neighbours. */
  plannedFrom: IsoDate;
}

export function periodSince(since: IsoDate): Period {
  const readAfter = addDays(since, -1);
  return { since, readAfter, plannedFrom: addDays(readAfter, -lookBackDays) };
}

/** The first instant of the day after. */
export const endOf = (day: IsoDate): Date => sydneyTime(addDays(day, 1), '00:00');

/** Makes the tables of this transaction alone that say which supporters, and which rows of theirs, are read. */
export async function makeLists(tx: Db): Promise<void> {
  await tx.unsafe(`
    create temp table recent_entries (
      supporter_id uuid, source uuid, account ledger_account, cents bigint, booked_on date) on commit drop;
    create temp table changed_sources (supporter_id uuid, id uuid, primary key (supporter_id, id)) on commit drop;
    create temp table changed_supporters (
      place bigint primary key, supporter_id uuid, is_whole boolean default true, closed_until date, first_seq bigint) on commit drop;
    create temp table audited_supporters (
      supporter_id uuid primary key, is_whole boolean, closed_until date, first_seq bigint) on commit drop;
    create temp table audited_entries (like ledger_entries) on commit drop`);
}

/** Ids of supporters after one and until another; without them from the first on, and to the last. */
export interface IdRange {
  after: string | null;
  until: string | null;
}

const isWithin = (tx: Db, { after, until }: IdRange) => tx`
  (${after}::uuid is null or supporter_id > ${after}) and (${until}::uuid is null or supporter_id <= ${until})`;

/** Lists everybody of a range. */
export async function listEverybody(tx: Db, range: IdRange): Promise<void> {
  await tx`
    insert into changed_supporters (place, supporter_id)
    select row_number() over (order by supporter_id), supporter_id from (
      select supporter_id from supporters union select supporter_id from ledger_balances
    ) as everybody where ${isWithin(tx, range)}`;
}

/**
 * Lists the entries of the period, the supporters of a range with a change in it, and the debits, deposits and repayments
 * of theirs that it touched.
 */
export async function listChanges(tx: Db, period: Period, range: IdRange): Promise<void> {
  const { since, readAfter, plannedFrom } = period;
  const [begin, planned] = [endOf(since), sydneyTime(plannedFrom, '00:00')];
  await tx`
    insert into recent_entries
    select supporter_id, source, account, cents, booked_on from ledger_entries where booked_on > ${readAfter}`;
  await tx`create index on recent_entries (supporter_id)`;
  await tx`analyze recent_entries`;
  await tx`
    insert into changed_supporters (place, supporter_id)
    select row_number() over (order by supporter_id), supporter_id from (
      select supporter_id from recent_entries
      union select supporter_id from debits where planned_at >= ${begin}
      union select supporter_id from debits where state = 'submitting'
      union select supporter_id from deposits where planned_at >= ${begin}
      union select supporter_id from deposits where state = 'submitting'
      union select supporter_id from repayments where planned_at >= ${begin}
      union select supporter_id from repayments where state = 'submitting'
      union select supporter_id from receipts where issued_at >= ${begin}
      union select supporter_id from supporters where closed_on > ${since}
    ) as changed where ${isWithin(tx, range)}`;
  await tx`
    insert into changed_sources
    select supporter_id, id from (
      select supporter_id, source as id from recent_entries
      union select supporter_id, id from debits where planned_at >= ${planned}
      union select supporter_id, id from debits where state = 'submitting'
      union select supporter_id, id from deposits where planned_at >= ${planned}
      union select supporter_id, id from deposits where state = 'submitting'
      union select supporter_id, id from repayments where planned_at >= ${planned}
      union select supporter_id, id from repayments where state = 'submitting'
    ) as changed where supporter_id in (select supporter_id from changed_supporters)`;
  await addConnected(tx);
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

/** Says of each supporter until when balances are closed, and how much is read; before views hide what is not. */
export async function chooseRows(tx: Db, period: Period | null): Promise<void> {
  await tx`analyze changed_supporters`;
  await tx`
    update changed_supporters changed set closed_until = closed.until
    from (select supporter_id, max(closed_until) as until from ledger_balances group by 1) as closed
    where closed.supporter_id = changed.supporter_id`;
  if (period) await leaveHistoryOut(tx, period);
}

/**
 * Leaves the history of supporters out whose balances were closed, unless bank data or a campaign of theirs came to an end
 * since the day from which debits are compared: such rows are compared with all before. Round-ups are read from the first
 * of a touched debit or refund on, or from the week of a fresh one.
 */
async function leaveHistoryOut(tx: Db, { readAfter, plannedFrom }: Period): Promise<void> {
  await tx`
    update changed_supporters changed set is_whole = false, first_seq = least(debited.seq, refunded.seq, week.seq)
    from changed_supporters each
    left join lateral (
      select min(first_seq) as seq from changed_sources touched join debits using (supporter_id, id)
      where touched.supporter_id = each.supporter_id
    ) as debited on true
    left join lateral (
      select min(round_up_seq) as seq from purchase_refunds refund
      where refund.supporter_id = each.supporter_id and (taken_off_by is null or exists (
        select from changed_sources taken where taken.supporter_id = refund.supporter_id and taken.id = taken_off_by))
    ) as refunded on true
    left join lateral (
      select seq from round_ups before where before.supporter_id = each.supporter_id and recorded_at < ${endOf(readAfter)}
      order by seq desc limit 1
    ) as known on true
    left join lateral (
      select date_trunc('week', min(posted_on))::date as monday from round_ups fresh
      where fresh.supporter_id = each.supporter_id and fresh.seq > coalesce(known.seq, 0)
    ) as fresh on true
    left join lateral (
      select min(seq + 0) as seq from round_ups of_week -- by the index of days: the first from below would read all of history
      where of_week.supporter_id = each.supporter_id and posted_on >= fresh.monday
    ) as week on true
    where changed.place = each.place and each.closed_until is not null
      and not exists (select from bank_data_deletions gone
        where gone.supporter_id = each.supporter_id and deleted_on >= ${plannedFrom})
      and not exists (select from campaign_drops gone
        where gone.supporter_id = each.supporter_id and dropped_on >= ${plannedFrom})`;
}

/** Takes the next supporters into the audit. */
export async function takeBatch(tx: Db, size: number): Promise<{ taken: number; last: string | null }> {
  await tx`truncate audited_supporters`;
  const [batch] = await tx<{ taken: number; last: string | null }[]>`
    with batch as (
      delete from changed_supporters where place in (select place from changed_supporters order by place limit ${size})
      returning *
    ), added as (
      insert into audited_supporters select supporter_id, is_whole, closed_until, first_seq from batch
    )
    select count(*) as taken, (array_agg(supporter_id order by place desc))[1] as last from batch`;
  await tx`analyze audited_supporters`;
  return batch ?? { taken: 0, last: null };
}
