import {
  add,
  type Cents,
  cents,
  csv,
  dollars,
  lastDayOf,
  type Month,
  negate,
  subtract,
  textCell,
  total,
} from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { Conflict, NotFound } from '#errors.ts';
import { type ClubCorrection, findReserve, heldBackCents, listCorrections } from '#features/ledger/club-adjustments.ts';
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
  /** Sent in the month but failed; paid with later remittances. */
  failed: StatementRemittance[];
  supporters: StatementLine[];
  /** By an operator: of the month's remittances, or booked in the month and still to be remitted. */
  corrections: ClubCorrection[];
  /** Cents of the month kept in reserve; negative if released. */
  heldBackCents: Cents;
  /** Remitted total: lines plus corrections, less what is held back. */
  totalCents: Cents;
  /** The club's and not yet on its way, today. */
  stillPayableCents: Cents;
  /** Claimed back or refunded after it was remitted, beyond the reserve; the club's next donations pay it. */
  receivableCents: Cents;
  /** Cents held back today against later claims, and their maximum. */
  reservedCents: Cents;
  reserveCents: Cents;
}

const failedStates = ['refused', 'returned', 'reversed'];

/**
 * Returns a club's month, supporter by supporter. Throws when the lines do not add up to the remittances, read twice, as a
 * remittance may move while buckets are read one after another: a statement a cent off must not reach a treasurer.
 */
export async function clubStatement(db: Db, clubId: string, month: Month): Promise<ClubStatement> {
  const club = await findStatementClub(db, clubId);
  if (!club) throw new NotFound(`The club ${clubId}`);
  const { linesCents, statement } = await readStatement(db, club, month);
  if (linesCents === statement.totalCents) return statement;
  const again = await readStatement(db, club, month);
  if (again.linesCents === again.statement.totalCents) return again.statement;
  throw new Conflict(
    `The supporters' lines, corrections and reserve come to ${again.linesCents} cents, the remittances to ${again.statement.totalCents}. Run ops audit.`,
  );
}

async function readStatement(db: Db, club: StatementClub, month: Month) {
  const all = await listRemittances(db, club.id, month, lastDayOf(month));
  const remittances = all.filter(({ state }) => !failedStates.includes(state));
  const supporters = await listStatementLines(db, club.id, month, lastDayOf(month));
  const totalCents = total(remittances.map(({ cents }) => cents));
  const corrections = await listCorrections(db, club.id, month, lastDayOf(month));
  const heldBack = await heldBackCents(db, club.id, month, lastDayOf(month));
  const remitted = corrections.filter(({ isRemitted }) => isRemitted);
  const given = total(supporters.map((line) => line.totalCents));
  const linesCents = subtract(add(given, total(remitted.map(({ cents }) => cents))), heldBack);
  const payable = await payableCents(db, club.id);
  const reserve = await findReserve(db, club.id);
  const statement: ClubStatement = {
    club,
    month: month.slice(0, 7),
    remittances,
    failed: all.filter(({ state }) => failedStates.includes(state)),
    supporters,
    corrections,
    heldBackCents: heldBack,
    totalCents,
    stillPayableCents: cents(Math.max(payable, 0)),
    receivableCents: cents(Math.max(-payable - reserve.reservedCents, 0)),
    ...reserve,
  };
  return { linesCents, statement };
}

/** Writes a line for each supporter, amounts in dollars and nothing else, so that a spreadsheet can add columns up. */
export const statementCsv = ({ supporters, corrections, heldBackCents }: ClubStatement): string =>
  csv([
    ['Supporter', 'Round-ups', 'One-off donations', 'Taken back', 'Total'],
    ...supporters.map((line) => [
      textCell(line.supporter),
      dollars(line.roundUpCents),
      dollars(line.donationCents),
      dollars(line.takenBackCents),
      dollars(line.totalCents),
    ]),
    ...corrections
      .filter(({ isRemitted }) => isRemitted)
      .map((each) => [textCell(`Correction ${each.date}: ${each.reason ?? each.id}`), '', '', '', dollars(each.cents)]),
    ...(heldBackCents === 0 ? [] : [['Reserve', '', '', '', dollars(negate(heldBackCents))]]),
  ]).trimEnd();
