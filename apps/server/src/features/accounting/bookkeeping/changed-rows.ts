import { addDays, type IsoDate, sydneyTime } from '@sparechange/domain';
import type { Db, Statement } from '#db/connect.ts';

/** Days before which a row that changed without an entry was not planned. */
const lookBackDays = 10;

/** The days that an audit reads. */
export interface Period {
  /** Last day that was found in order. */
  since: IsoDate;
  /** Day after which entries are read: one earlier, as a transaction may have been open over midnight. */
  readAfter: IsoDate;
  /** Day from which debits are compared with their neighbours. */
  plannedFrom: IsoDate;
}

export function periodSince(since: IsoDate): Period {
  const readAfter = addDays(since, -1);
  return { since, readAfter, plannedFrom: addDays(readAfter, -lookBackDays) };
}

/** First instant of the day after. */
export const endOf = (day: IsoDate): Date => sydneyTime(addDays(day, 1), '00:00');

/** Ids of supporters after one and up to another; without limits, from the first to the last. */
export interface IdRange {
  after: string | null;
  until: string | null;
}

const isWithin = (tx: Db, { after, until }: IdRange) => tx`
  (${after}::uuid is null or supporter_id > ${after}) and (${until}::uuid is null or supporter_id <= ${until})`;

/**
 * The lists of an audit follow. Each statement reads the lists before it by the names `recent_entries`,
 * `changed_supporters` and `changed_sources`, which are tables of a session or parts of a WITH.
 */

/**
 * Selects the columns of `recent_entries`: the entries of a period, none if there is no period. A further condition may
 * follow.
 */
export const recentEntries = (tx: Db, period: Period | null): Statement<readonly unknown[]> => tx`
  select supporter_id, source, account, cents, booked_on from ledger_entries where booked_on > ${period?.readAfter ?? 'infinity'}`;

/** Selects the ids of a range's supporters with a change in a period, or everybody's if there is no period. */
export function changedSupporters(
  tx: Db,
  period: Period | null,
  range: IdRange,
): Statement<{ supporter_id: string }[]> {
  if (!period)
    return tx`
      select supporter_id from (
        select supporter_id from supporters union select supporter_id from ledger_balances
      ) as everybody where ${isWithin(tx, range)}`;
  const begin = endOf(period.since);
  return tx`
    select supporter_id from (
      select supporter_id from recent_entries
      union select supporter_id from debits where planned_at >= ${begin}
      union select supporter_id from debits where state = 'submitting'
      union select supporter_id from deposits where planned_at >= ${begin}
      union select supporter_id from deposits where state = 'submitting'
      union select supporter_id from repayments where planned_at >= ${begin}
      union select supporter_id from repayments where state = 'submitting'
      union select supporter_id from receipts where issued_at >= ${begin}
      union select supporter_id from supporters where closed_on > ${period.since}
    ) as changed where ${isWithin(tx, range)}`;
}

/**
 * Selects the debits, deposits and repayments of the changed supporters that a period touched, with a repayment's
 * debit, the debits that one re-presents, and the repayments of all of these.
 */
export function changedSources(tx: Db, { plannedFrom }: Period): Statement<{ supporter_id: string; id: string }[]> {
  const planned = sydneyTime(plannedFrom, '00:00');
  return tx`
    with recursive touched as (
      select supporter_id, id from (
        select supporter_id, source as id from recent_entries
        union select supporter_id, id from debits where planned_at >= ${planned}
        union select supporter_id, id from debits where state = 'submitting'
        union select supporter_id, id from deposits where planned_at >= ${planned}
        union select supporter_id, id from deposits where state = 'submitting'
        union select supporter_id, id from repayments where planned_at >= ${planned}
        union select supporter_id, id from repayments where state = 'submitting'
      ) as changed where supporter_id in (select supporter_id from changed_supporters)
    ), collected as (
      (select supporter_id, id from touched
        union select supporter_id, debit_id from repayments join touched using (supporter_id, id))
      union
      select debit.supporter_id, debit.id from collected join debits debit
        on debit.supporter_id = collected.supporter_id and debit.represented_by = collected.id
    )
    select supporter_id, id from collected
    union select repayment.supporter_id, repayment.id from repayments repayment
      join collected on collected.supporter_id = repayment.supporter_id and collected.id = repayment.debit_id`;
}

/** Extent to which an audit reads a supporter. */
export interface Audited {
  supporter_id: string;
  /** False where the history is left out. */
  is_whole: boolean;
  /** Day until which balances are closed. */
  closed_until: IsoDate | null;
  /** First round-up that is read, if not all are. */
  first_seq: number | null;
}

/**
 * Selects how much is read of each changed supporter; everything if there is no period. The history of supporters with
 * closed balances is left out, unless bank data or a campaign of theirs came to an end since the day from which debits
 * are compared, or their bank data was deleted after a touched debit was planned: such rows are compared with all
 * before. Round-ups are read from the first of a touched debit or refund, or from the week of a fresh one.
 */
export function auditedSupporters(tx: Db, period: Period | null): Statement<Audited[]> {
  const closed = tx`
    changed_supporters each left join lateral (
      select max(closed_until) as until from ledger_balances balance where balance.supporter_id = each.supporter_id
    ) as closed on true`;
  if (!period)
    return tx`
      select each.supporter_id, true as is_whole, closed.until as closed_until, null::bigint as first_seq from ${closed}`;
  const { readAfter, plannedFrom } = period;
  return tx`
    select each.supporter_id, chosen.is_whole, closed.until as closed_until,
      case when not chosen.is_whole then least(debited.seq, refunded.seq, week.seq) end as first_seq
    from ${closed}
    cross join lateral (
      select closed.until is null
        or exists (select from bank_data_deletions gone
          where gone.supporter_id = each.supporter_id and deleted_on >= ${plannedFrom})
        or exists (select from bank_data_deletions gone
          where gone.supporter_id = each.supporter_id and deleted_at >= ( -- rare, so the debits are seldom looked at
            select min(planned_at) from changed_sources touched join debits using (supporter_id, id)
            where touched.supporter_id = each.supporter_id))
        or exists (select from campaign_drops gone
          where gone.supporter_id = each.supporter_id and dropped_on >= ${plannedFrom}) as is_whole
    ) as chosen
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
    ) as week on true`;
}
