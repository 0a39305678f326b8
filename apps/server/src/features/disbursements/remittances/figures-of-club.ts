import { addDays, type Cents, type IsoDate, sydneyDay, weekStart } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { selectSupporters } from '#features/beneficiaries/clubs/club-figures.ts';
import { AdviceFacts, findLastAdvice } from '#features/disbursements/remittance-advice/advice-repository.ts';

interface PeriodSum {
  /** Its first day. */
  from: IsoDate;
  cents: Cents;
}

/** Sums the cleared amounts for a club in each of the last twelve weeks or months, the present one included. */
const listPeriods = (db: Db, clubId: string, unit: 'week' | 'month', day: IsoDate) => db<PeriodSum[]>`
  with booked as (
    select date_trunc(${unit}, booked_on)::date as first, sum(cents)::bigint as cents from club_entries
    where club_id = ${clubId} and kind = 'collected' and account = 'collected' group by 1
  )
  select period::date as "from", coalesce(booked.cents, 0)::bigint as cents
  from generate_series(date_trunc(${unit}, ${day}::date) - ${`11 ${unit}`}::interval, ${day}::date, ${`1 ${unit}`}::interval)
    as period left join booked on booked.first = period::date order by 1`;

interface Totals {
  until: IsoDate | null;
  raisedCents: Cents;
  /** Day on which its first gift cleared. */
  raisedSince: IsoDate | null;
  goalDollars: number | null;
  supporters: number | null;
  includesClubsUnder: boolean;
}

async function getTotals(db: Db, clubId: string, isForOrganisation: boolean): Promise<Totals> {
  const [totals] = await db<Totals[]>`
    select coalesce(balance.cents, 0)::bigint as "raisedCents", club.goal_dollars as "goalDollars",
      (select min(booked_on) from club_entries
        where club_id = club.id and account = 'collected' and kind = 'collected') as "raisedSince",
      ${selectSupporters(db, isForOrganisation)} as supporters,
      exists (select from clubs other where other.parent_id = club.id) as "includesClubsUnder",
      (select rolled_up_until from closed_days) as until
    from clubs club left join club_balances balance on balance.club_id = club.id and balance.account = 'collected'
    where club.id = ${clubId}`;
  if (!totals) throw new NotFound('The club');
  return totals;
}

/** Age above which a forecast no longer applies to the coming weeks. */
const maxDaysOfForecast = 14;

/** Returns the forecast of the last remittance advice, so that page and advice never differ. */
async function findForecast(db: Db, clubId: string, day: IsoDate) {
  const advice = await findLastAdvice(db, clubId);
  const madeOn = advice && sydneyDay(advice.madeAt);
  if (!madeOn || madeOn < addDays(day, -maxDaysOfForecast)) return null;
  const { forecast } = AdviceFacts.parse(advice.facts);
  if (!forecast) return null;
  const { low: lowCents, expected: expectedCents, high: highCents } = forecast;
  return { from: weekStart(madeOn), lowCents, expectedCents, highCents };
}

/**
 * Returns a club's total, its amounts by period, and its forecast (docs/decisions/clubs.md#treasurer-figures). Fewer
 * than five supporters are counted for the organisation alone.
 */
export async function figuresOfClub(
  db: Db,
  clubId: string,
  day: IsoDate,
  { isForOrganisation = false }: { isForOrganisation?: boolean } = {},
) {
  return {
    ...(await getTotals(db, clubId, isForOrganisation)),
    months: await listPeriods(db, clubId, 'month', day),
    weeks: await listPeriods(db, clubId, 'week', day),
    forecast: await findForecast(db, clubId, day),
  };
}
