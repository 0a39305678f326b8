import { addDays, type IsoDate, longDay } from '@sparechange/domain';
import {
  calendarEndsSoon,
  isBankingDay,
  isDebitDay,
  isListedBankingDay,
  lastSettlementYear,
  nextBankingDay,
  nextDebitDay,
  previousBankingDay,
  setExtraClosedDays,
} from '@sparechange/domain/banking-calendar';
import { timetableOf } from '@sparechange/domain/timetable';
import { type Actor, appendOperatorsAct } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { Conflict } from '#errors.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { type Clock, today } from '#ports/clock.ts';
import {
  copySkipsBack,
  dropMovedSkips,
  dropWithdrawnSkips,
  type MovedSkips,
  moveSkips,
  takeBackSkips,
} from './moved-skips.ts';

export interface ExtraClosedDay {
  day: IsoDate;
  reason: string;
  addedAt: Date;
}

/** Maximum number of coming closed days; beyond that, change the calendar itself. */
const maxUpcoming = 50;
const maxDaysAhead = 730;
const channel = 'extra_closed_days';

/** Lists extra closed days from a day on, in order. */
export function listExtraClosedDays(db: Db, from: IsoDate): Promise<ExtraClosedDay[]> {
  return db<ExtraClosedDay[]>`
    select day, reason, added_at as "addedAt" from extra_closed_days where day >= ${from} order by day limit 1000`;
}

/** Days covered by a list for people. */
export const daysListedBack = 30;

/** Lists the coming extra closed days and the last past ones, in order. */
export const listRecentClosedDays = (db: Db, clock: Clock): Promise<ExtraClosedDay[]> =>
  listExtraClosedDays(db, addDays(today(clock), -daysListedBack));

/** Past days count too: outcomes are calculated back over them. */
const daysLookedBack = 400;

/** Reads the extra closed days into this process's calendar. */
export async function loadExtraClosedDays(db: Db, clock: Clock): Promise<void> {
  const days = await listExtraClosedDays(db, addDays(today(clock), -daysLookedBack));
  setExtraClosedDays(days.map(({ day }) => day));
}

/** Loads extra closed days now and after any process's change. */
export async function followExtraClosedDays(db: Pool, clock: Clock): Promise<{ close: () => Promise<void> }> {
  const read = () => void loadExtraClosedDays(db, clock).catch(() => {}); // the next pass of the timetable reads again
  const listening = await db.listen(channel, read, read);
  await loadExtraClosedDays(db, clock);
  return { close: () => listening.unlisten() };
}

interface Deps {
  db: Pool;
  clock: Clock;
  /** Name in the audit log. */
  by?: Actor | undefined;
}

/**
 * Declares a day on which banks do not settle. Its skips and clearings move on with it, as do pending bank details.
 * Throws Conflict for a day that is past, closed anyway, or already planned. Returns false, and moves nothing, if it
 * was declared before. Skips move before the day counts as declared: even after a failure no supporter who skipped is
 * debited, and the moves are undone.
 */
export async function addExtraClosedDay({ db, clock, by }: Deps, day: IsoDate, reason: string): Promise<boolean> {
  const moved: MovedSkips[] = [];
  const declare = async (tx: Db) => {
    if (await declaredAt(tx, day)) return false;
    await requireFree(tx, clock, day, isPlanned);
    await tx`insert into extra_closed_days (day, reason, added_at) values (${day}, ${reason}, ${clock.now()})`;
    await loadExtraClosedDays(tx, clock);
    await inEachBucket(db, async (bucket) => moved.push(await moveSkips(bucket, day)));
    await moveClearing(tx, day, nextBankingDay);
    await moveHolds(tx, day);
    await note(tx, { clock, by }, 'closed day added', { day, reason });
    return true;
  };
  const isPlanned = (await inEachBucket(db, (bucket) => hasDebits(bucket, day))).includes(true);
  try {
    return await db.begin(declare);
  } catch (error) {
    const takeBack = async (tx: Db) => {
      if (!(await declaredAt(tx, day))) await takeBackSkips(moved);
    };
    await db.begin(takeBack).catch(() => {}); // a remaining moved skip debits nobody, and goes with the next try
    throw error;
  } finally {
    await loadExtraClosedDays(db, clock);
  }
}

/** Returns since when a day has been declared, if it is; nobody declares one until the transaction ends. */
async function declaredAt(tx: Db, day: IsoDate): Promise<Date | undefined> {
  await tx`select pg_advisory_xact_lock(hashtext('sparechange.extra closed days'))`;
  const [known] = await tx<{ addedAt: Date }[]>`select added_at as "addedAt" from extra_closed_days where day = ${day}`;
  return known?.addedAt;
}

/** Throws for a debit day whose supporters got no notice the evening before, as it was closed then. */
function refuseUnannounced(day: IsoDate, closedAt: Date, now: Date): void {
  const notices = timetableOf(addDays(day, -1)).find(({ task }) => task === 'debit-notice')?.dueAt;
  if (notices && closedAt < notices && now >= notices)
    throw new Conflict(
      `Supporters were not told the evening before that ${longDay(day)} has debits; they stay with the next run.`,
    );
}

/**
 * Lets banks settle on a day again; skips of its replacement run move back to its own, and files at the bank clear a
 * banking day earlier. A day that is also a holiday stays closed, and nothing moves. Throws Conflict for a day that is
 * past, or whose debits were not announced. Returns false if it was not declared. Skips of the replacement run are
 * dropped last: even after a failure no supporter who skipped is debited.
 */
export async function removeExtraClosedDay({ db, clock, by }: Deps, day: IsoDate): Promise<boolean> {
  if (day < today(clock)) throw new Conflict(`${longDay(day)} is past; what was reckoned by it stays.`);
  const remove = async (tx: Db) => {
    const closedAt = await declaredAt(tx, day);
    if (!closedAt) return false;
    await loadExtraClosedDays(tx, clock);
    const run = nextDebitDay(day);
    const merged = await closedDaysMovedTo(tx, run);
    for (const closed of merged) await inEachBucket(db, (bucket) => dropWithdrawnSkips(bucket, closed));
    await tx`delete from extra_closed_days where day = ${day}`;
    await loadExtraClosedDays(tx, clock);
    if (isDebitDay(day)) {
      refuseUnannounced(day, closedAt, clock.now());
      const moved = await closedDaysMovedTo(tx, day);
      await inEachBucket(db, (bucket) => copySkipsBack(bucket, run, day));
      for (const closed of moved) await inEachBucket(db, (bucket) => moveSkips(bucket, closed));
    }
    if (isBankingDay(day)) await moveClearing(tx, day, previousBankingDay);
    await note(tx, { clock, by }, 'closed day removed', { day });
    return true;
  };
  const removed = await db.begin(remove).finally(() => loadExtraClosedDays(db, clock));
  if (isDebitDay(day)) await inEachBucket(db, (bucket) => dropMovedSkips(bucket, day));
  return removed;
}

/** Lists the extra closed days with the days on which their runs take place instead. */
async function closedDaysMovedTo(tx: Db, run: IsoDate): Promise<IsoDate[]> {
  const days = await listExtraClosedDays(tx, addDays(run, -daysListedBack));
  return days.map(({ day }) => day).filter((day) => nextDebitDay(day) === run);
}

async function requireFree(tx: Db, clock: Clock, day: IsoDate, hasDebits: boolean): Promise<void> {
  const now = today(clock);
  if (day < now) throw new Conflict(`${longDay(day)} is past.`);
  if (day > addDays(now, maxDaysAhead)) throw new Conflict(`${day} is more than ${maxDaysAhead} days ahead.`);
  if (!isListedBankingDay(day)) throw new Conflict(`${day} is no banking day anyway.`);
  const [found] = await tx<{ isPlanned: boolean; hasFile: boolean; toCome: number }[]>`
    select exists (select from debit_runs where run_date = ${day} and planned_at is not null) as "isPlanned",
      exists (select from direct_entry.files where process_on = ${day} and withdrawn_at is null) as "hasFile",
      (select count(*) from extra_closed_days where day >= ${now}) as "toCome"`;
  if (hasDebits || found?.isPlanned) throw new Conflict(`The debits of ${day} are planned already.`);
  if (found?.hasFile) throw new Conflict(`There is a bank file for ${day}; withdraw it first.`);
  if ((found?.toCome ?? 0) >= maxUpcoming) throw new Conflict(`${maxUpcoming} days to come are closed already.`);
}

async function hasDebits(bucket: Db, day: IsoDate): Promise<boolean> {
  const debits = await bucket`select from debits where run_date = ${day} and kind = 'round-up' limit 1`;
  return debits.length > 0;
}

/**
 * Moves `clears_on` of files at the bank by one banking day if the closed day lies before it; never to before that day.
 */
async function moveClearing(tx: Db, day: IsoDate, move: (clearsOn: IsoDate) => IsoDate): Promise<void> {
  const files = await tx<{ name: string; clearsOn: IsoDate }[]>`
    select name, clears_on as "clearsOn" from direct_entry.files
    where done_at is null and withdrawn_at is null and process_on < ${day} and clears_on >= ${day}
    order by name limit 1000 for update`;
  for (const { name, clearsOn } of files) {
    const to = move(clearsOn);
    if (to >= day) await tx`update direct_entry.files set clears_on = ${to} where name = ${name}`;
  }
}

/**
 * Delays new bank details of clubs for one more banking day if the closed day was within their wait. Opening it again
 * does not shorten that.
 */
async function moveHolds(tx: Db, day: IsoDate): Promise<void> {
  const held = await tx<{ id: string; effectiveOn: IsoDate }[]>`
    select id, effective_on as "effectiveOn" from bank_detail_changes
    where applied_at is null and cancelled_at is null and effective_on >= ${day}
      and (greatest(confirmed_at, agreed_at) at time zone 'Australia/Sydney')::date < ${day}
    order by id limit 1000 for update`;
  for (const { id, effectiveOn } of held)
    await tx`update bank_detail_changes set effective_on = ${nextBankingDay(effectiveOn)} where id = ${id}`;
}

async function note(
  tx: Db,
  { clock, by }: Omit<Deps, 'db'>,
  action: string,
  details: Record<string, string>,
): Promise<void> {
  await appendOperatorsAct(tx, { at: clock.now(), by, action, details });
  await tx`select pg_notify(${channel}, '')`;
}

/** Raises an alarm, once a month, while the list of banking holidays ends within a year. */
export async function watchCalendar(deps: Pick<AlarmDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  const day = today(deps.clock);
  if (!calendarEndsSoon(day)) return;
  await raiseAlarm(deps, {
    name: 'calendar_ends',
    about: day.slice(0, 7),
    sentence: `The list of days on which banks settle ends with ${lastSettlementYear}; later days are computed. Extend packages/domain/src/settlement-holidays.ts from the RBA's list, and declare single days until then.`,
    see: { page: 'Runs', command: 'closed-days add' },
  });
}
