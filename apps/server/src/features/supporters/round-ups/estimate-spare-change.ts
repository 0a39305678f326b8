import type { Cents, PastPurchase, RoundUpStep, WeeklyLimit } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

/** A step and a weekly limit, current or considered. */
export interface RoundUpSettings {
  step: RoundUpStep;
  limit: WeeklyLimit;
}

/**
 * Returns the counted spare change of purchases under each setting, in order, by the functions that record it. The
 * order of purchases within a week makes no difference.
 */
export async function estimateSpareChange(
  db: Db,
  purchases: readonly PastPurchase[],
  settings: readonly RoundUpSettings[],
): Promise<Cents[]> {
  const rows = await db<{ cents: Cents }[]>`
    with setting as (
      select * from unnest(${settings.map(({ step }) => step)}::bigint[], ${settings.map(({ limit }) => limit)}::bigint[])
        with ordinality as setting (step, week_limit, place)
    ), week as (
      select place, sum(round_up(cents, step))::bigint as raw
      from setting cross join unnest(${purchases.map(({ day }) => day)}::date[],
        ${purchases.map(({ amount }) => amount)}::bigint[]) as purchase (day, cents)
      group by place, date_trunc('week', day)
    )
    select coalesce(sum(counted_within_limit(coalesce(raw, 0), 0, week_limit)), 0)::bigint as cents
    from setting left join week using (place) group by place order by place`;
  return rows.map(({ cents }) => cents);
}

/** Counts the purchases, in the order of their posting, of which some part counts under each setting. */
export async function countGiving(
  db: Db,
  purchases: readonly PastPurchase[],
  { step, limit }: RoundUpSettings,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select raw, coalesce(sum(raw) over (partition by date_trunc('week', day) order by day, place
        rows between unbounded preceding and 1 preceding), 0)::bigint as before
      from unnest(${purchases.map(({ day }) => day)}::date[], ${purchases.map(({ amount }) => amount)}::bigint[])
        with ordinality as purchase (day, cents, place)
      cross join lateral (select round_up(cents, ${step}) as raw) rounded
    ) rounded where counted_within_limit(raw, before, ${limit}) > 0`;
  return row?.count ?? 0;
}
