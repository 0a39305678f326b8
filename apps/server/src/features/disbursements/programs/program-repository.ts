import { programFacts } from '@sparechange/contract/club-facts';
import type { ProgramClub, ProgramPayout, ProgramTotals } from '@sparechange/contract/programs';
import type { IsoDate } from '@sparechange/domain';
import type { ProgramKey } from '#caller.ts';
import type { Db } from '#db/connect.ts';
import { selectFacts } from '#features/beneficiaries/clubs/club-columns.ts';

/** Part of a list: the rows after an id, and one more than is shown, which indicates a next page. */
export interface Part {
  after: string | null;
  limit: number;
}

/** Selects the clubs that a key sees. */
const isSeen = (db: Db, { clubId }: ProgramKey) =>
  db`(${clubId}::uuid is null or ${clubId}::uuid = club.id or ${clubId}::uuid = club.parent_id)`;

const isPart = (db: Db, id: 'club.id' | 'payout.id', { after, limit }: Part) =>
  db`(${after}::uuid is null or ${db(id)} > ${after}::uuid) order by ${db(id)} limit ${limit}`;

/** A club with its own day of retirement, which no campaign tells. */
export type SeenClub = Omit<ProgramClub, 'endsOn'> & { endsOn: IsoDate | null };

const clubColumns = (db: Db) => db`
  club.id, ${selectFacts(db, programFacts, 'club')}, ends_on as "endsOn", supporters`;

/** Clubs by id. */
export const listSeenClubs = (db: Db, key: ProgramKey, part: Part, parentId: string | null): Promise<SeenClub[]> => db<
  SeenClub[]
>`
  select ${clubColumns(db)} from clubs club left join club_figures figures on figures.club_id = club.id
  where ${isSeen(db, key)} and (${parentId}::uuid is null or parent_id = ${parentId}::uuid) and ${isPart(db, 'club.id', part)}`;

export async function findSeenClub(db: Db, key: ProgramKey, id: string): Promise<SeenClub | undefined> {
  const [club] = await db<SeenClub[]>`
    select ${clubColumns(db)} from clubs club left join club_figures figures on figures.club_id = club.id
    where club.id = ${id}::uuid and ${isSeen(db, key)}`;
  return club;
}

type PayoutRow = Omit<ProgramPayout, 'outcomeAt'> & { outcomeAt: Date | null };

const payoutColumns = (db: Db) => db`
  payout.id, payout.club_id as "clubId", payout.reference, payout.paid_on as "paidOn", payout.state,
  payout.amount_cents as "amountCents", payout.outcome_at as "outcomeAt"`;

const payoutOf = ({ outcomeAt, ...row }: PayoutRow): ProgramPayout => ({
  ...row,
  outcomeAt: outcomeAt?.toISOString() ?? null,
});

export interface PayoutFilter {
  clubId: string | null;
  from: IsoDate | null;
  to: IsoDate | null;
}

/** Payouts by id, which is the order of their planning. */
export async function listSeenPayouts(
  db: Db,
  key: ProgramKey,
  part: Part,
  { clubId, from, to }: PayoutFilter,
): Promise<ProgramPayout[]> {
  const rows = await db<PayoutRow[]>`
    select ${payoutColumns(db)} from remittances payout join clubs club on club.id = payout.club_id
    where ${isSeen(db, key)} and (${clubId}::uuid is null or club.id = ${clubId}::uuid)
      and payout.paid_on between coalesce(${from}::date, '-infinity') and coalesce(${to}::date, 'infinity')
      and ${isPart(db, 'payout.id', part)}`;
  return rows.map(payoutOf);
}

export async function findSeenPayout(db: Db, key: ProgramKey, id: string): Promise<ProgramPayout | undefined> {
  const [row] = await db<PayoutRow[]>`
    select ${payoutColumns(db)} from remittances payout join clubs club on club.id = payout.club_id
    where payout.id = ${id}::uuid and ${isSeen(db, key)}`;
  return row && payoutOf(row);
}

/** Balances of clubs, by club. */
export const listSeenTotals = (
  db: Db,
  key: ProgramKey,
  part: Part,
  clubId: string | null,
): Promise<ProgramTotals[]> => {
  const balance = (account: string) => db`
    coalesce((select cents from club_balances where club_id = club.id and account::text = ${account}), 0)::bigint`;
  return db<ProgramTotals[]>`
    select club.id as "clubId", ${balance('collected')} as "collectedCents", ${balance('adjusted')} as "correctedCents",
      ${balance('payable')} as "payableCents", ${balance('reserved')} as "reservedCents",
      ${balance('in_transit')} as "inTransitCents", ${balance('remitted')} as "remittedCents", supporters,
      (select rolled_up_until from closed_days) as until
    from clubs club left join club_figures figures on figures.club_id = club.id
    where ${isSeen(db, key)} and (${clubId}::uuid is null or club.id = ${clubId}::uuid) and ${isPart(db, 'club.id', part)}`;
};
