import type { WeeklyProjection } from '@sparechange/contract';
import {
  averageWeek,
  type Cents,
  type IsoDate,
  limitStartsAgainOn,
  noCents,
  type PastPurchase,
  projectionPeriod,
  roundUpSteps,
  weeklyLimits,
  weekStart,
} from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import { type Clock, today } from '#ports/clock.ts';
import { estimateSpareChange } from './estimate-spare-change.ts';

/** Returns how much of this week's limit is used, and the average week for each step and limit. */
export async function projectWeek(db: Db, clock: Clock, supporterId: string): Promise<WeeklyProjection> {
  const { roundsFrom } = await getSupporter(db, supporterId);
  const day = today(clock);
  return {
    usedCents: await sumCountedInWeek(db, supporterId, weekStart(day)),
    startsAgainOn: limitStartsAgainOn(day),
    lookingBack: roundsFrom ? await averagePastWeeks(db, supporterId, roundsFrom, day) : null,
  };
}

async function averagePastWeeks(db: Db, supporterId: string, firstDay: IsoDate, day: IsoDate) {
  const period = projectionPeriod(firstDay, day);
  if (!period) return null;
  const purchases = await listUnrefunded(db, supporterId, period.from, period.until);
  if (purchases.length === 0) return null;
  const combinations = roundUpSteps.flatMap((step) => weeklyLimits.map((limit) => ({ step, limit })));
  const counted = await estimateSpareChange(db, purchases, combinations);
  const weeks = combinations.map(({ step, limit }, index) => ({
    stepCents: step,
    limitCents: limit,
    cents: averageWeek(counted[index] ?? noCents, period.days, limit),
  }));
  return { days: period.days, wholeWeeks: period.wholeWeeks, weeks };
}

async function sumCountedInWeek(db: Db, supporterId: string, from: IsoDate): Promise<Cents> {
  const [sum] = await db<{ cents: Cents }[]>`
    select coalesce(sum(counted_cents), 0)::bigint as cents from round_ups
    where supporter_id = ${supporterId} and posted_on between ${from}::date and ${from}::date + 6`;
  return sum?.cents ?? noCents;
}

/** Lists purchases recorded for a period, except refunded ones. */
function listUnrefunded(db: Db, supporterId: string, from: IsoDate, until: IsoDate): Promise<PastPurchase[]> {
  return db<PastPurchase[]>`
    select posted_on as day, purchase_cents as amount from round_ups purchase
    where supporter_id = ${supporterId} and posted_on between ${from} and ${until}
      and not exists (select from purchase_refunds where purchase_refunds.supporter_id = purchase.supporter_id
        and purchase_refunds.round_up_seq = purchase.seq)`;
}
