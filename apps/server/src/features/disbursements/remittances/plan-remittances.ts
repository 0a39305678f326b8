import { addDays, type IsoDate, noCents } from '@sparechange/domain';
import {
  type ClubFunds,
  type KeptAmount,
  planRemittancesOf,
  type UnpaidRemittance,
} from '@sparechange/domain/remittance-plan';
import type { Db, Pool } from '#db/connect.ts';
import { applyDueChanges, endLapsedChanges } from '#features/beneficiaries/bank-details/change-bank-details.ts';
import { type Clock, today } from '#ports/clock.ts';
import {
  type ClearedMoney,
  type ClubToPay,
  insertRemittances,
  listCleared,
  listClubs,
  listUnpaid,
  type PlanDay,
} from './remittance-plan-repository.ts';

/** An amount that stays in a club's balance, with the reason. */
export interface Kept extends KeptAmount {
  clubId: string;
  club: string;
}

/** Clubs planned with the same four statements. */
const maxClubs = 5_000;

/**
 * Plans each club's payment of amounts cleared up to the day before and not yet paid, less reversals, and of failed
 * payments that are due (packages/domain/src/remittance-plan.ts). Planning again adds nothing: a remittance names the
 * days it covers, and none is covered twice (docs/decisions/paying-clubs.md#remittances).
 */
export async function planRemittances(pool: Pool, clock: Clock, date: IsoDate, pageSize = maxClubs): Promise<Kept[]> {
  return pool.begin(async (tx) => {
    await lockRemittancePlan(tx);
    await applyDueChanges(tx, clock, date);
    await endLapsedChanges(tx, clock);
    const day = { date, until: addDays(date, -1), now: clock.now(), bookedOn: today(clock) };
    const kept: Kept[] = [];
    for await (const clubs of pagesOfClubs(tx, date, pageSize)) kept.push(...(await planPage(tx, day, clubs)));
    return kept;
  });
}

/**
 * Blocks remittance plans and club corrections until the transaction ends. What a plan reads therefore stays so until it
 * inserts: only plans cover days, retry failed payments and fill reserves, and days up to the plan's are closed, so that
 * only a correction could add to them. A payment that fails in between waits for the next plan.
 */
export async function lockRemittancePlan(tx: Db): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('sparechange.plan remittances'))`;
}

const beforeEveryClub = { name: '', id: '00000000-0000-0000-0000-000000000000' };

async function* pagesOfClubs(tx: Db, date: IsoDate, pageSize: number): AsyncIterable<ClubToPay[]> {
  for (let page = await listClubs(tx, date, beforeEveryClub, pageSize); ; ) {
    yield page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    page = await listClubs(tx, date, last, pageSize);
  }
}

/** Reads the money of some clubs, decides what each is paid, and inserts all payments together. */
async function planPage(tx: Db, day: PlanDay, clubs: ClubToPay[]): Promise<Kept[]> {
  const ids = clubs.map(({ id }) => id);
  const [cleared, unpaid] = await Promise.all([listCleared(tx, ids, day.until), listUnpaid(tx, ids)]);
  const clearedOf = new Map(cleared.map((each) => [each.clubId, each]));
  const unpaidOf = Map.groupBy(unpaid, ({ clubId }) => clubId);
  const plans = clubs.map((club) => {
    const funds = fundsOf(club, clearedOf.get(club.id), unpaidOf.get(club.id));
    return { club, plan: planRemittancesOf(funds, day.date) };
  });
  const remittances = plans.flatMap(({ club, plan }) =>
    plan.remittances.map((each, index) => ({ ...each, clubId: club.id, attempt: club.attempts + index + 1 })),
  );
  await insertRemittances(tx, remittances, day);
  return plans.flatMap(({ club, plan }) => plan.kept.map((each) => ({ clubId: club.id, club: club.name, ...each })));
}

const fundsOf = (club: ClubToPay, cleared?: ClearedMoney, unpaid: UnpaidRemittance[] = []): ClubFunds => ({
  fresh: cleared?.cents ?? noCents,
  firstDay: cleared?.firstDay ?? null,
  reserve: { held: club.heldCents, wanted: club.reserveCents },
  unpaid,
  hasBankDetails: club.hasBankDetails,
});
