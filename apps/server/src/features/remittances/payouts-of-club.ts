import { type Cents, financialYearStart, type IsoDate, isoDate, sydneyDay } from '@sparechange/domain';
import { nextBankingDay } from '@sparechange/domain/banking-calendar';
import { timetableOf } from '@sparechange/domain/timetable';
import type { Db } from '#db/connect.ts';
import { NotFound, unknownPage } from '#errors.ts';
import { findReserve } from '#features/ledger/club-adjustments.ts';
import type { PayoutState } from '#features/payouts/payout-kind.ts';
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
  id, run_date as "paidOn", reference, amount_cents as "amountCents", state, retried_by is not null as "isPaidAgain",
  retry_on as "retryOn"`;

/** Reads where the page before ended: the day, and the number of the payout on it. Throws InvalidInput. */
function placeOf(after: string | undefined): [day: IsoDate | null, attempt: number] {
  if (after === undefined) return [null, 0];
  const [, day = '', attempt] = /^(\d{4}-\d{2}-\d{2})\.(\d{1,6})$/.exec(after) ?? [];
  try {
    return [isoDate(day), Number(attempt)];
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

/** Lists a page of what a club was paid in a financial year, the newest first. */
export async function listPayouts(db: Db, { clubId, year, after, limit }: PayoutPage) {
  const [day, attempt] = placeOf(after);
  const rows = await db<(ClubPayout & { attempt: number })[]>`
    select ${columns(db)}, attempt from remittances
    where club_id = ${clubId} and run_date between ${`${year}-07-01`} and ${`${year + 1}-06-30`}
      and (${day}::date is null or (run_date, attempt) < (${day}::date, ${attempt}::integer))
    order by run_date desc, attempt desc limit ${limit + 1}`;
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next: last ? `${last.paidOn}.${last.attempt}` : null };
}

/** Returns the day of the next remittance run, today's until it begins. */
function nextRun(now: Date): IsoDate {
  const day = sydneyDay(now);
  return timetableOf(day).some(({ task, dueAt }) => task === 'remit' && dueAt > now) ? day : nextBankingDay(day);
}

const maxOnItsWay = 50;

/** Returns payouts on their way to a club, the cents that wait and are reserved, and its financial years. Throws NotFound. */
export async function readPendingPayouts(db: Db, clubId: string, now: Date) {
  const [club] = await db<{ hasAccount: boolean; first: IsoDate | null }[]>`
    select account_number_encrypted is not null as "hasAccount",
      (select min(run_date) from remittances where club_id = clubs.id) as first
    from clubs where id = ${clubId}`;
  if (!club) throw new NotFound('The club');
  const onItsWay = await db<ClubPayout[]>`
    select ${columns(db)} from remittances
    where club_id = ${clubId} and state in ('planned', 'submitting', 'submitted')
    order by run_date, attempt limit ${maxOnItsWay}`;
  const yearOf = (day: IsoDate) => Number(financialYearStart(day).slice(0, 4));
  const today = sydneyDay(now);
  const present = yearOf(today);
  const { reservedCents } = await findReserve(db, clubId);
  return {
    waitingCents: await payableCents(db, clubId),
    reservedCents,
    today,
    nextOn: nextRun(now),
    hasAccount: club.hasAccount,
    onItsWay: [...onItsWay],
    years: Array.from({ length: present - (club.first ? yearOf(club.first) : present) + 1 }, (_, ago) => present - ago),
  };
}
