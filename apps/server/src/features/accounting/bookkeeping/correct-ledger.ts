import type { CorrectableAccount } from '@sparechange/contract/console';
import { type Cents, negate } from '@sparechange/domain';
import { type Actor, appendOperatorsAct } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { refuseAboveOfDay } from '#features/core/approvals/limit-of-day.ts';
import { bookingDay } from '#features/core/ledger/booking-day.ts';
import { lockRemittancePlan } from '#features/disbursements/remittances/plan-remittances.ts';
import type { Clock } from '#ports/clock.ts';
import { type ClubToCorrect, findClubToCorrect, getMaxTaken, getReceivable, postToClub } from './club-corrections.ts';

export interface Correction {
  /** The operator's own, permanent: the same id books once. */
  id: string;
  debit: CorrectableAccount;
  credit: CorrectableAccount;
  amount: Cents;
  reason: string;
  /** Club whose balance it corrects, with owed_to_clubs alone. */
  clubId?: string | undefined;
}

export type Corrected =
  | { result: 'booked' | 'booked before' | 'another' | 'unknown club' }
  | { result: 'above limit'; limitCents: Cents };

interface Deps {
  db: Pool;
  clock: Clock;
  /** Reason for the audit log. */
  by?: Actor | undefined;
}

/**
 * Books a correction once: the amount to the debit of one account and the credit of another. A correction of a club's
 * balance is also booked in the club's ledger, and takes no more than its balance. Returns 'another' if the id was used
 * for something else. Throws NeedsSecondPerson if the club's corrections of the day, or those without a club, would
 * exceed `limit`.
 */
export const correctLedger = (deps: Deps, correction: Correction, limit?: Cents): Promise<Corrected> => {
  const takes = correction.debit === 'owed_to_clubs';
  return book(deps, correction, takes ? (tx, clubId) => getMaxTaken(tx, deps.db, clubId) : undefined, limit);
};

/** Writes off a club's debt, at most in full, as a loss of the operator: its next donations are paid in full again. */
export const writeOff = (
  deps: Deps,
  { id, clubId, amount, reason }: Omit<Correction, 'debit' | 'credit'> & { clubId: string },
  limit?: Cents,
): Promise<Corrected> => {
  const correction: Correction = { id, debit: 'operator_loss', credit: 'owed_to_clubs', amount, reason, clubId };
  return book(deps, correction, (_tx, owing) => getReceivable(deps.db, owing), limit);
};

function book(
  { db, clock, by }: Deps,
  correction: Correction,
  limitOf: ((tx: Db, clubId: string) => Promise<Cents>) | undefined,
  limit: Cents | undefined,
): Promise<Corrected> {
  return db.begin(async (tx) => {
    await lockRemittancePlan(tx);
    const { id, debit, credit, amount, reason } = correction;
    const club = correction.clubId === undefined ? undefined : await findClubToCorrect(tx, correction.clubId);
    if (correction.clubId !== undefined && !club) return { result: 'unknown club' };
    const before = await findBooked(tx, id);
    if (before) return { result: isSame(before, correction, club) ? 'booked before' : 'another' };
    const limitCents = club && limitOf ? await limitOf(tx, club.id) : amount;
    if (amount > limitCents) return { result: 'above limit', limitCents };
    const day = await bookingDay(tx, clock);
    await refuseAboveOfDay(tx, limit, { day, amount, clubId: club?.id });
    await tx`
      insert into platform_entries (kind, source, account, cents, booked_on, reason)
      select 'correction', ${id}, leg.account, leg.cents, ${day}, ${reason}
      from unnest(${[debit, credit]}::platform_account[], ${[amount, -amount]}::bigint[]) as leg (account, cents)`;
    if (club) await postToClub(tx, club.id, { id, cents: credit === 'owed_to_clubs' ? amount : negate(amount), day });
    const details = { correction: id, debit, credit, cents: amount, reason, ...(club ? { club: club.id } : {}) };
    await appendOperatorsAct(tx, { at: clock.now(), by, action: 'corrected the ledger', details });
    return { result: 'booked' };
  });
}

interface Booked {
  legs: Record<string, Cents>;
  clubId: string | null;
}

async function findBooked(tx: Db, id: string): Promise<Booked | undefined> {
  const [booked] = await tx<Booked[]>`
    select jsonb_object_agg(account, cents) as legs, (
      select club_id from club_entries where kind = 'corrected' and source = ${id} limit 1) as "clubId"
    from platform_entries where kind = 'correction' and source = ${id} having count(*) > 0`;
  return booked;
}

const isSame = (before: Booked, { debit, credit, amount }: Correction, club: ClubToCorrect | undefined): boolean =>
  before.legs[debit] === amount && before.legs[credit] === -amount && before.clubId === (club?.id ?? null);
