import { wholeCents } from '@sparechange/contract';
import type { MailKind } from '@sparechange/contract/console';
import {
  add,
  addDays,
  type Cents,
  type IsoDate,
  type PayoutDay,
  sydneyDay,
  total,
  type WeekGiven,
  weeksLookedBack,
} from '@sparechange/domain';
import { z } from 'zod';
import type { Db } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { isPaused } from '#features/core/debiting/conditions.ts';
import { giftsOfDays, listDaysPaidBy, type PaidDays } from '#features/core/ledger/club-adjustments.ts';
import type { PayoutState } from '#features/core/payouts/payout-kind.ts';

const mailKind = 'remittance_advice' satisfies MailKind;
const day = z.iso.date();
const amounts = { gross: wholeCents, returned: wholeCents, savings: wholeCents, net: wholeCents };

const shared = {
  club: z.object({ id: z.string(), name: z.string(), abn: z.string().nullable() }),
  reference: z.string().describe("as shown on the club's bank statement"),
  paidOn: day,
  adjustments: z
    .array(
      z.object({
        day: day.nullable(),
        kind: z.enum(['correction', 'reserve']),
        cents: wholeCents,
        reason: z.string().nullable().default(null).describe('of a correction; advices made before have none'),
      }),
    )
    .default([])
    .describe('what else the deposit is made of: corrections by day, and what is held back or paid out of the reserve'),
  totals: z.object({ ...amounts, fees: wholeCents }),
  forecast: z.object({ low: wholeCents, expected: wholeCents, high: wholeCents }).nullable(),
};

const currentFacts = z.object({
  version: z.literal(2),
  ...shared,
  days: z.array(z.object({ day, supporters: z.int(), ...amounts })),
  supporters: z.int().describe('different people, on all days together'),
});

/** Facts as first stored: without a version, and with another word for supporters. */
const firstFacts = z
  .object({
    ...shared,
    days: z.array(z.object({ day, givers: z.int(), ...amounts })),
    givers: z.int(),
  })
  .transform(
    ({ givers, days, ...facts }): z.infer<typeof currentFacts> => ({
      ...facts,
      version: 2,
      days: days.map(({ givers, ...rest }) => ({ ...rest, supporters: givers })),
      supporters: givers,
    }),
  );

/** A remittance advice's facts, of any version; names are only in `ops statement`. */
export const AdviceFacts = z.union([currentFacts, firstFacts]);
export type AdviceFacts = z.infer<typeof AdviceFacts>;

export interface AdvisedRemittance {
  id: string;
  clubId: string;
  club: string;
  abn: string | null;
  email: string | null;
  reference: string;
  paidOn: IsoDate;
  amount: Cents;
  state: PayoutState;
  submittedAt: Date;
}

const remittanceColumns = (db: Db) => db`
  remittance.id, remittance.club_id as "clubId", club.name as club, club.abn, club.contact_email as email,
  remittance.reference, remittance.paid_on as "paidOn", remittance.amount_cents as amount, remittance.state,
  remittance.submitted_at as "submittedAt"`;

/** Lists remittances submitted since then without an advice, whenever they were planned. */
export async function listWithoutAdvice(db: Db, since: Date): Promise<AdvisedRemittance[]> {
  const remittances = await db<AdvisedRemittance[]>`
    select ${remittanceColumns(db)} from remittances remittance join clubs club on club.id = remittance.club_id
    where remittance.submitted_at >= ${since}
      and not exists (select from remittance_advices advice where advice.remittance_id = remittance.id)
    order by remittance.paid_on, remittance.id`;
  return [...remittances];
}

/** Lists a club's remittances paid on these days that reached the provider. */
export async function listSubmitted(
  db: Db,
  clubId: string,
  from: IsoDate,
  until: IsoDate,
): Promise<AdvisedRemittance[]> {
  const remittances = await db<AdvisedRemittance[]>`
    select ${remittanceColumns(db)} from remittances remittance join clubs club on club.id = remittance.club_id
    where remittance.club_id::text = lower(${clubId}) and remittance.submitted_at is not null
      and remittance.paid_on between ${from} and ${until}
    order by remittance.paid_on, remittance.id`;
  return [...remittances];
}

/** Finds a club's remittance that reached the provider. */
export async function findSubmitted(db: Db, clubId: string, id: string): Promise<AdvisedRemittance | undefined> {
  const [remittance] = await db<AdvisedRemittance[]>`
    select ${remittanceColumns(db)} from remittances remittance join clubs club on club.id = remittance.club_id
    where remittance.club_id = ${clubId} and remittance.id = ${id} and remittance.submitted_at is not null`;
  return remittance;
}

/**
 * Lists a remittance's payments day by day, including the days of failed ones that it pays again, and counts donors.
 */
export async function listPaidDays(
  db: Db,
  { id, clubId }: AdvisedRemittance,
): Promise<{ days: PayoutDay[]; supporters: number }> {
  const paid = await listDaysPaidBy(db, id);
  const rows = (await inEachBucket(db, (bucket) => listDaysOfBucket(bucket, clubId, paid))).flat();
  const days = new Map<IsoDate, PayoutDay>();
  let supporters = 0;
  for (const { day, ...amounts } of rows) {
    if (day) days.set(day, addUpDay(days.get(day), { day, ...amounts }));
    else supporters += amounts.supporters;
  }
  return { days: [...days.values()].sort((one, other) => (one.day < other.day ? -1 : 1)), supporters };
}

/** Lists the days of a bucket; last, without a day, the number of donors over all of them. */
const listDaysOfBucket = (bucket: Db, clubId: string, paidDays: PaidDays[]) => bucket<
  (Omit<PayoutDay, 'day'> & { day: IsoDate | null })[]
>`
  with entry as (${giftsOfDays(bucket, clubId, paidDays)})
  select booked_on as day, count(distinct supporter_id) filter (where kind = 'cleared') as supporters,
    coalesce(sum(cents + savings_cents) filter (where cents > 0), 0)::bigint as gross,
    coalesce(-sum(cents + savings_cents) filter (where cents < 0), 0)::bigint as returned,
    coalesce(sum(savings_cents), 0)::bigint as savings,
    coalesce(sum(cents), 0)::bigint as net
  from entry group by grouping sets ((booked_on), ())`;

/** Adds a bucket's part of a day; nobody is in two buckets. */
const addUpDay = (sum: PayoutDay | undefined, part: PayoutDay): PayoutDay =>
  sum === undefined
    ? part
    : {
        day: part.day,
        supporters: sum.supporters + part.supporters,
        gross: add(sum.gross, part.gross),
        returned: add(sum.returned, part.returned),
        savings: add(sum.savings, part.savings),
        net: add(sum.net, part.net),
      };

/** Selects a club's supporters with consent, not paused or closed. */
const giving = (db: Db, clubId: string) => db`
  select supporter_id, weekly_limit_cents, rounds_from, onboarded_on from supporters
  where club_id = ${clubId} and onboarded_on is not null and closed_on is null and consent_active
    and not ${isPaused(db, 'supporters')}`;

/**
 * Lists the whole weeks before a Monday, at most twelve: round-ups of current supporters. Only weeks before the club's
 * first donation are left out; later ones without any count as zero.
 */
export async function listWeeksGiven(db: Db, clubId: string, monday: IsoDate): Promise<WeekGiven[]> {
  const parts = (await inEachBucket(db, (bucket) => listWeeksOfBucket(bucket, clubId, monday))).flat();
  const first = Math.min(await countWeeksSinceFirst(db, clubId, monday), weeksLookedBack);
  return Array.from({ length: first }, (_, at) => {
    const week = parts.filter(({ weeksAgo }) => weeksAgo === first - at);
    return { given: total(week.map(({ given }) => given)), takenBack: total(week.map(({ takenBack }) => takenBack)) };
  });
}

/** Counts the whole weeks before a Monday since the first with a cleared amount for a club. */
async function countWeeksSinceFirst(db: Db, clubId: string, monday: IsoDate): Promise<number> {
  const [first] = await db<{ weeksAgo: number | null }[]>`
    select (${monday}::date - date_trunc('week', min(booked_on))::date) / 7 as "weeksAgo" from club_entries
    where club_id = ${clubId} and kind = 'collected' and account = 'collected' and booked_on < ${monday}`;
  return first?.weeksAgo ?? 0;
}

/**
 * Lists a bucket's weeks without the backdated part of first debits, which occurs once
 * (docs/rules.md#first-day-that-counts).
 */
const listWeeksOfBucket = (bucket: Db, clubId: string, monday: IsoDate) => bucket<(WeekGiven & { weeksAgo: number })[]>`
  with supporter as (${giving(bucket, clubId)}), part as (
    select entry.booked_on, entry.kind, round(cents * (1 - coalesce(first_debit.backdated, 0)))::bigint as cents
    from gift_entries entry join supporter using (supporter_id)
    left join lateral (
      select id, least(1, (select coalesce(sum(counted_cents), 0) from round_ups
          where round_ups.supporter_id = supporter.supporter_id and posted_on < onboarded_on)::numeric / amount_cents) as backdated
      from debits where debits.supporter_id = supporter.supporter_id and debits.kind = 'round-up' and state in ('cleared', 'reversed')
      order by run_date, id limit 1
    ) as first_debit on rounds_from < onboarded_on and first_debit.id = entry.debit_id
    where entry.club_id = ${clubId} and debit_kind = 'round-up'
      and entry.booked_on >= ${monday}::date - 7 * ${weeksLookedBack}::integer and entry.booked_on < ${monday}
  )
  select (${monday}::date - date_trunc('week', booked_on)::date) / 7 as "weeksAgo",
    coalesce(sum(cents) filter (where kind = 'cleared'), 0)::bigint as given,
    coalesce(-sum(cents) filter (where kind <> 'cleared'), 0)::bigint as "takenBack"
  from part group by 1`;

/** Sums all weekly limits; undefined if any supporter has none, or there is nobody. */
export async function weeklyCeiling(db: Db, clubId: string): Promise<Cents | undefined> {
  const parts = await inEachBucket(
    db,
    (bucket) => bucket<{ limited: boolean; cents: Cents }[]>`
      select bool_and(weekly_limit_cents > 0) as limited, sum(weekly_limit_cents)::bigint as cents
      from (${giving(bucket, clubId)}) as supporter having count(*) > 0`,
  );
  const limits = parts.flat();
  return limits.length > 0 && limits.every(({ limited }) => limited)
    ? total(limits.map(({ cents }) => cents))
    : undefined;
}

/** Stores an advice once; without an address nothing is emailed. */
export async function keepAdvice(
  db: Db,
  { id, clubId }: AdvisedRemittance,
  facts: AdviceFacts,
  at: Date,
  email: string | null,
): Promise<void> {
  await db`
    insert into remittance_advices (remittance_id, club_id, facts, made_at, email)
    values (${id}, ${clubId}, ${db.json(facts)}, ${at}, ${email}) on conflict do nothing`;
}

/** Age of the oldest advice still emailed: a club has one per banking day, so this also bounds an email's length. */
const mailedForDays = 62;

/**
 * Queues one email for each club with due advices: on the day of payment, or on the first banking day of a week or
 * month, as it chose. An advice of a repeated payment does not wait; one of a failed payment is not emailed, nor one
 * that the previous version has queued without marking it.
 */
export async function queueAdvices(db: Db, at: Date): Promise<void> {
  const day = sydneyDay(at);
  await db`
    with due as (
      select remittance.id, remittance.club_id, remittance.paid_on
      from remittances remittance join remittance_advices advice on advice.remittance_id = remittance.id
        join clubs club on club.id = remittance.club_id
      where remittance.advice_mailed_at is null and advice.email is not null and club.contact_email is not null
        and remittance.state not in ('returned', 'reversed', 'refused')
        and not exists (select from mails where supporter_id is null and key = ${`${mailKind} `} || remittance.id)
        and remittance.paid_on between ${addDays(day, -mailedForDays)} and ${day}
        and (exists (select from remittances failed where failed.retried_by = remittance.id)
          or remittance.paid_on < case club.advice_frequency
            when 'weekly' then date_trunc('week', ${day}::date)::date
            when 'monthly' then date_trunc('month', ${day}::date)::date
            else 'infinity'::date end)
      for update of remittance
    ), queued as (
      insert into mails (recipient, key, facts, queued_at, due_at, is_urgent)
      select 'club', ${`${mailKind} `} || min(id::text), jsonb_build_object('kind', ${mailKind}::text,
        'remittanceIds', jsonb_agg(id order by paid_on, id)), ${at}, ${at}, true
      from due group by club_id
      on conflict do nothing returning facts
    )
    update remittances set advice_mailed_at = ${at} from queued, jsonb_array_elements_text(facts->'remittanceIds') as mailed (id)
    where remittances.id = mailed.id::uuid`;
}

export interface Advice {
  facts: unknown;
  madeAt: Date;
  /** Club's present address; its contact may have changed since the advice was made. */
  email: string | null;
}

/** Returns advices by day of payment, as emailed together. */
export async function listAdvices(db: Db, remittanceIds: string[]): Promise<Advice[]> {
  const advices = await db<Advice[]>`
    select facts, made_at as "madeAt", club.contact_email as email
    from remittance_advices join clubs club on club.id = club_id
    where remittance_id = any(${remittanceIds}::uuid[]) order by facts->>'paidOn', remittance_id`;
  return [...advices];
}

/** Returns the advice of a club's last remittance. */
export async function findLastAdvice(db: Db, clubId: string): Promise<Advice | undefined> {
  const [advice] = await db<Advice[]>`
    select facts, made_at as "madeAt", club.contact_email as email
    from remittances remittance join remittance_advices on remittance_id = remittance.id
      join clubs club on club.id = remittance.club_id
    where remittance.club_id = ${clubId} order by remittance.paid_on desc, remittance.id desc limit 1`;
  return advice;
}

export const findAdvice = async (db: Db, remittanceId: string): Promise<Advice | undefined> =>
  (await listAdvices(db, [remittanceId]))[0];
