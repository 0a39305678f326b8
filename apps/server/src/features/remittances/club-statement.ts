import { type Cents, lastDayOf, type Month, total } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { Conflict, NotFound } from '#errors.ts';
import {
  findStatementClub,
  listRemittances,
  listStatementLines,
  payableCents,
  type StatementClub,
  type StatementLine,
  type StatementRemittance,
} from './statement-repository.ts';

export interface ClubStatement {
  club: StatementClub;
  month: string;
  /** Paid in the month, on their way or arrived. */
  remittances: StatementRemittance[];
  /** Sent in the month and come back, or refused: paid with a later remittance. */
  failed: StatementRemittance[];
  supporters: StatementLine[];
  /** Of the remittances, and of the supporters' lines. */
  totalCents: Cents;
  /** The club's and not yet on its way, today. */
  stillPayableCents: number;
  /** Claimed back from us after it was remitted; the club's next donations pay it. */
  receivableCents: number;
}

const failedStates = ['refused', 'returned', 'reversed'];

/**
 * What a club received in a month, supporter by supporter. Throws when the lines do not add up to the remittances: a
 * statement that is a cent off must not reach a treasurer.
 */
export async function clubStatement(db: Db, clubId: string, month: Month): Promise<ClubStatement> {
  const club = await findStatementClub(db, clubId);
  if (!club) throw new NotFound(`The club ${clubId}`);
  const all = await listRemittances(db, club.id, month, lastDayOf(month));
  const remittances = all.filter(({ state }) => !failedStates.includes(state));
  const supporters = await listStatementLines(db, club.id, month, lastDayOf(month));
  const totalCents = total(remittances.map(({ cents }) => cents));
  const lines = total(supporters.map((line) => line.totalCents));
  if (lines !== totalCents) {
    throw new Conflict(
      `The supporters' lines come to ${lines} cents, the remittances to ${totalCents}. Run ops audit.`,
    );
  }
  const payable = await payableCents(db, club.id);
  return {
    club,
    month: month.slice(0, 7),
    remittances,
    failed: all.filter(({ state }) => failedStates.includes(state)),
    supporters,
    totalCents,
    stillPayableCents: Math.max(payable, 0),
    receivableCents: Math.max(-payable, 0),
  };
}
