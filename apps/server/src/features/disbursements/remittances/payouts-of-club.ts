import {
  add,
  addDays,
  type Cents,
  cents,
  financialYearStart,
  type IsoDate,
  isoDate,
  noCents,
  subtract,
  sydneyDay,
  total,
} from '@sparechange/domain';
import { nextBankingDay } from '@sparechange/domain/banking-calendar';
import { divideByDay, firstRetry, type Reserve, shareWithReserve, sumOf } from '@sparechange/domain/remittance-plan';
import { timetableOf } from '@sparechange/domain/timetable';
import { z } from 'zod';
import type { Db } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { NotFound, unknownPage } from '#errors.ts';
import { findReserve } from '#features/core/ledger/club-adjustments.ts';
import { listOpenDays } from '#features/core/ledger/day-sums.ts';
import type { PayoutState } from '#features/core/payouts/payout-kind.ts';
import { hasNewDetails } from './failed-remittances.ts';
import { listUnpaid } from './remittance-plan-repository.ts';
import { payableCents } from './statement-repository.ts';

interface ClubPayout {
  id: string;
  paidOn: IsoDate;
  reference: string;
  amountCents: Cents;
  state: PayoutState;
  isPaidAgain: boolean;
  retryOn: IsoDate | null;
}

const columns = (db: Db) => db`
  lost.id, paid_on as "paidOn", reference, amount_cents as "amountCents", state, retried_by is not null as "isPaidAgain"`;

/** Reads where the previous page ended: the day, and the payout on it. Throws InvalidInput. */
function placeOf(after: string | undefined): [day: IsoDate | null, id: string | null] {
  if (after === undefined) return [null, null];
  const [day = '', id] = after.split('.');
  try {
    return [isoDate(day), z.uuid().parse(id)];
  } catch {
    throw unknownPage();
  }
}

interface PayoutPage {
  clubId: string;
  year: number;
  after?: string | undefined;
  limit: number;
}

/** Returns the day of the next remittance run, today's until it begins. */
function nextRun(now: Date): IsoDate {
  const day = sydneyDay(now);
  return timetableOf(day).some(({ task, dueAt }) => task === 'remit' && dueAt > now) ? day : nextBankingDay(day);
}

/**
 * Lists a page of a club's payouts in a financial year, newest first. Failed payouts are paid to new details with the
 * next run.
 */
export async function listPayouts(db: Db, { clubId, year, after, limit }: PayoutPage, now: Date) {
  const [day, id] = placeOf(after);
  const isForNewDetails = db`
    state in ('returned', 'reversed', 'refused') and club.account_number_encrypted is not null and ${hasNewDetails(db)}`;
  const rows = await db<ClubPayout[]>`
    select ${columns(db)}, case when ${isForNewDetails} then ${nextRun(now)}::date else retry_on end as "retryOn"
    from remittances lost join clubs club on club.id = lost.club_id
    where club_id = ${clubId} and paid_on between ${`${year}-07-01`} and ${`${year + 1}-06-30`}
      and (${day}::date is null or (paid_on, lost.id) < (${day}::date, ${id}::uuid))
    order by paid_on desc, lost.id desc limit ${limit + 1}`;
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next: last ? `${last.paidOn}.${last.id}` : null };
}

const maxOnItsWay = 50;

interface Unpaid {
  cents: Cents;
  /** Cents included that are retried only after the next run. */
  retriedCents: Cents;
  retryOn: IsoDate | null;
  waitsForDetails: boolean;
}

/** Returns failed payouts of a club, and when the next plans pay them again. */
async function readUnpaid(db: Db, clubId: string, nextOn: IsoDate): Promise<Unpaid> {
  const unpaid = await listUnpaid(db, [clubId]);
  const { later } = divideByDay(unpaid, nextOn);
  return {
    cents: sumOf(unpaid),
    retriedCents: sumOf(later),
    retryOn: firstRetry(later) ?? null,
    waitsForDetails: later.some(({ retryOn }) => retryOn === null),
  };
}

/** Sums the amounts cleared for a club on the day of the next run, which pays only those of earlier days. */
async function sumOfRunDay(db: Db, clubId: string, nextOn: IsoDate): Promise<Cents> {
  const days = await inEachBucket(db, (bucket) => listOpenDays(bucket, addDays(nextOn, -1), clubId));
  return total(days.flat().map((each) => each.cents));
}

/**
 * Returns the new money that the next run takes for the reserve; below zero if the reserve pays, for which the money of
 * the run's own day spares it.
 */
function takenByReserve(fresh: Cents, ofRunDay: Cents, reserve: Reserve): Cents {
  const { toClub, toReserve, waits } = shareWithReserve(fresh, reserve);
  if (fresh >= 0 || toClub > 0) return add(toReserve, waits);
  return cents(Math.max(-reserve.held, Math.min(0, fresh + ofRunDay)));
}

/** Divides waiting money into the part that the next run pays and the rest. */
function divideWaiting(
  waiting: Cents,
  { cents: failed, retriedCents, retryOn, waitsForDetails }: Unpaid,
  { ofRunDay, reserve }: { ofRunDay: Cents; reserve: Reserve },
) {
  const atMost = (part: number, left: number): Cents => cents(Math.max(0, Math.min(part, left)));
  const fresh = subtract(waiting, add(failed, ofRunDay));
  const toReserve = takenByReserve(fresh, ofRunDay, reserve);
  const retried = waitsForDetails ? noCents : atMost(retriedCents, waiting - toReserve);
  return {
    waitingCents: waiting,
    toReserveCents: toReserve,
    retriedCents: retried,
    retryOn: retried > 0 ? retryOn : null,
    clearedTodayCents: atMost(ofRunDay + Math.min(0, fresh - toReserve), waiting - toReserve - retried),
    waitsForDetails,
  };
}

/**
 * Returns payouts on their way to a club, the cents that wait and are reserved, and its financial years. Throws
 * NotFound.
 */
export async function readPendingPayouts(db: Db, clubId: string, now: Date) {
  const [club] = await db<{ hasAccount: boolean; first: IsoDate | null }[]>`
    select account_number_encrypted is not null as "hasAccount",
      (select min(paid_on) from remittances where club_id = clubs.id) as first
    from clubs where id = ${clubId}`;
  if (!club) throw new NotFound('The club');
  const onItsWay = await db<ClubPayout[]>`
    select ${columns(db)}, retry_on as "retryOn" from remittances lost
    where club_id = ${clubId} and state in ('planned', 'submitting', 'submitted')
    order by paid_on, id limit ${maxOnItsWay}`;
  const yearOf = (day: IsoDate) => Number(financialYearStart(day).slice(0, 4));
  const today = sydneyDay(now);
  const present = yearOf(today);
  const { reservedCents, reserveCents } = await findReserve(db, clubId);
  const nextOn = nextRun(now);
  const unpaid = await readUnpaid(db, clubId, nextOn);
  return {
    ...divideWaiting(await payableCents(db, clubId), unpaid, {
      ofRunDay: await sumOfRunDay(db, clubId, nextOn),
      reserve: { held: reservedCents, wanted: reserveCents },
    }),
    reservedCents,
    today,
    nextOn,
    afterNextOn: nextBankingDay(nextOn),
    hasAccount: club.hasAccount,
    onItsWay: [...onItsWay],
    years: Array.from({ length: present - (club.first ? yearOf(club.first) : present) + 1 }, (_, ago) => present - ago),
  };
}
