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
import {
  type ClubCorrection,
  findReserve,
  heldBackCents,
  listCorrections,
} from '#features/core/ledger/club-adjustments.ts';
import {
  findStatementClub,
  listFirstStatementLines,
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
  /** Operator's corrections: of the month's remittances, or booked in the month and still to be remitted. */
  corrections: ClubCorrection[];
  /** Cents of the month kept in reserve; negative if released. */
  heldBackCents: Cents;
  /** Remitted total: lines plus corrections, less amounts held back. */
  totalCents: Cents;
  /** Balance of the club not yet on its way, today. */
  stillPayableCents: Cents;
  /** Claimed back or refunded after remittance, beyond the reserve; the club's next donations pay it. */
  receivableCents: Cents;
  /** Cents held back today against later claims, and their maximum. */
  reservedCents: Cents;
  reserveCents: Cents;
}

const failedStates = ['refused', 'returned', 'reversed'];

/**
 * Returns a club's month, supporter by supporter. Throws if the lines do not add up to the remittances, read twice, as
 * a remittance may move while buckets are read one after another: a statement off by a cent must not reach a treasurer.
 */
export async function clubStatement(db: Db, clubId: string, month: Month): Promise<ClubStatement> {
  const club = await findStatementClub(db, clubId);
  if (!club) throw new NotFound(`The club ${clubId}`);
  return readTwice(() => readStatement(db, club, month));
}

/** The first supporters of a club's month, their number, and the total paid. */
export interface StatementStart
  extends Pick<
    ClubStatement,
    'remittances' | 'failed' | 'supporters' | 'corrections' | 'heldBackCents' | 'totalCents'
  > {
  supportersInAll: number;
}

/** Returns the beginning of a statement, for a club of any size. Throws as clubStatement does. */
export async function startOfStatement(db: Db, clubId: string, month: Month, limit: number): Promise<StatementStart> {
  const club = await findStatementClub(db, clubId);
  if (!club) throw new NotFound(`The club ${clubId}`);
  const read = async () => {
    const paid = await readPaid(db, club, month);
    const page = await listFirstStatementLines(db, club.id, { from: month, until: lastDayOf(month), limit });
    const start = { ...paid, supporters: page.lines, supportersInAll: page.supporters };
    return { linesCents: linesCentsOf(page.cents, paid), statement: start };
  };
  return readTwice(read);
}

/** Reads a statement again if its lines do not add up, as a remittance may have moved during the reading. */
async function readTwice<Statement extends { totalCents: Cents }>(
  read: () => Promise<{ linesCents: Cents; statement: Statement }>,
): Promise<Statement> {
  const { linesCents, statement } = await read();
  if (linesCents === statement.totalCents) return statement;
  const again = await read();
  if (again.linesCents === again.statement.totalCents) return again.statement;
  throw new Conflict(
    `The supporters' lines, corrections and reserve come to ${again.linesCents} cents, the remittances to ${again.statement.totalCents}. Run ops audit.`,
  );
}

type Paid = Omit<StatementStart, 'supporters' | 'supportersInAll'>;

/** Reads a month's payments, and its amounts other than supporters'. */
async function readPaid(db: Db, { id }: StatementClub, month: Month): Promise<Paid> {
  const until = lastDayOf(month);
  const all = await listRemittances(db, id, month, until);
  const remittances = all.filter(({ state }) => !failedStates.includes(state));
  return {
    remittances,
    failed: all.filter(({ state }) => failedStates.includes(state)),
    corrections: await listCorrections(db, id, month, until),
    heldBackCents: await heldBackCents(db, id, month, until),
    totalCents: total(remittances.map(({ cents }) => cents)),
  };
}

/** Sums the gifts, the corrections among the remittances and the amounts the reserve kept of them. */
const linesCentsOf = (given: Cents, { corrections, heldBackCents }: Paid): Cents => {
  const remitted = corrections.filter(({ isRemitted }) => isRemitted);
  return subtract(add(given, total(remitted.map(({ cents }) => cents))), heldBackCents);
};

async function readStatement(db: Db, club: StatementClub, month: Month) {
  const paid = await readPaid(db, club, month);
  const supporters = await listStatementLines(db, club.id, month, lastDayOf(month));
  const payable = await payableCents(db, club.id);
  const reserve = await findReserve(db, club.id);
  const statement: ClubStatement = {
    club,
    month: month.slice(0, 7),
    ...paid,
    supporters,
    stillPayableCents: cents(Math.max(payable, 0)),
    receivableCents: cents(Math.max(-payable - reserve.reservedCents, 0)),
    ...reserve,
  };
  return { linesCents: linesCentsOf(total(supporters.map(({ totalCents }) => totalCents)), paid), statement };
}

/** Writes a line for each supporter, with amounts in plain dollars, so that a spreadsheet can sum columns. */
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
