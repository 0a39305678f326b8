import { type Cents, type IsoDate, nameOfAccount, noCents } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { type Actor, appendOperatorsAct } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { Conflict, NotFound } from '#errors.ts';
import { bookingDay } from '#features/core/ledger/booking-day.ts';
import type { Clock } from '#ports/clock.ts';
import { matchOpenLines } from './match-lines.ts';
import { lockLines, sourceOfLine } from './statement-line-repository.ts';

export interface TakenBack {
  account: string;
  /** Lines that are gone; those that other statements have too stay. */
  lines: number;
  /** Sum of those lines. */
  cents: Cents;
  /** Day of a provider's entries, which the next night fetches again; null for a file. */
  fetchedDay: IsoDate | null;
}

export interface TakeBackFacts {
  /** Lines that it booked; null if an earlier version imported it. */
  added: number | null;
  /** True if it began the account, and other statements of it follow. */
  isNeeded: boolean;
  byHand: number;
}

type Statement = TakeBackFacts & Pick<TakenBack, 'account' | 'fetchedDay'>;

/** Facts that decide whether a statement may be taken back, of the row `statement`. */
export const factsOfTakeBack = (db: Db) => db`
  added, (select count(*) from bank_statement_lines line where line.account = statement.account
    and line.statements = array[statement.id] and matched_kind = 'by_hand') as "byHand",
  statement.lines > 0 and statement.id = (
    select id from bank_statements first where first.account = statement.account and lines > 0 order by imported_at, id limit 1
  ) and exists (
    select from bank_statements other where other.account = statement.account and other.id <> statement.id and lines > 0
  ) as "isNeeded"`;

async function findStatement(tx: Db, id: string): Promise<Statement> {
  const [found] = await tx<Statement[]>`
    select statement.account, fetched_day as "fetchedDay", ${factsOfTakeBack(tx)} from bank_statements statement where id = ${id}`;
  if (!found) throw new NotFound('The import');
  return found;
}

export type TakeBack = 'possible' | 'matched_by_hand' | 'needed' | 'not_possible';

/** Returns whether an import can be taken back, or why not. */
export function takeBackOf({ added, byHand, isNeeded }: TakeBackFacts): TakeBack {
  if (added === null) return 'not_possible';
  if (byHand > 0) return 'matched_by_hand';
  return isNeeded ? 'needed' : 'possible';
}

/** Throws Conflict with the reason for which an import stays. */
function refuseNeeded({ account, added, byHand, isNeeded }: Statement): void {
  if (added === null) throw new Conflict('It was imported by an earlier version, and cannot be taken back.');
  if (byHand > 0)
    throw new Conflict(
      `${counted(byHand, 'line')} of it ${byHand === 1 ? 'was' : 'were'} matched by hand, so the import stays. Correct the ledger instead.`,
    );
  if (isNeeded)
    throw new Conflict(
      `It is the first statement of ${nameOfAccount(account)}, from whose balance the later ones count. Take those back first.`,
    );
}

/**
 * Takes an import back: its lines, their matches and their bookings, which are reversed. Lines that another statement has
 * too stay. Throws Conflict once a line was matched by hand, or if later statements count from this one.
 */
export async function takeBackStatement(
  { db, clock, by }: { db: Pool; clock: Clock; by: Actor },
  id: string,
): Promise<TakenBack> {
  const taken = await db.begin(async (tx) => {
    await lockLines(tx);
    const statement = await findStatement(tx, id);
    refuseNeeded(statement);
    const { account, fetchedDay } = statement;
    const bookedOn = await bookingDay(tx, clock);
    const [gone] = await tx<Pick<TakenBack, 'lines' | 'cents'>[]>`
      with gone as (
        delete from bank_statement_lines where account = ${account} and statements = array[${id}::uuid]
        returning cents, matched_kind, ${sourceOfLine(tx)} as source
      ), reversed as (
        insert into platform_entries (kind, source, account, cents, booked_on)
        select 'statement_line_taken_back', source, leg.account, leg.cents, ${bookedOn}
        from gone cross join lateral (values ('trust_bank'::platform_account, -cents), (
          case when matched_kind is null then 'suspense'::platform_account else 'provider_float'::platform_account end, cents
        )) as leg (account, cents)
      )
      select count(*) as lines, coalesce(sum(cents), 0)::bigint as cents from gone`;
    await tx`
      update bank_statement_lines set statements = array_remove(statements, ${id}::uuid)
      where account = ${account} and statements @> array[${id}::uuid]`;
    await tx`delete from bank_statements where id = ${id}`;
    if (fetchedDay) await noteDayTakenBack(tx, account, fetchedDay);
    const { lines, cents } = gone ?? { lines: 0, cents: noCents };
    const details = { statement: id, account, lines, cents };
    await appendOperatorsAct(tx, { at: clock.now(), by, action: 'took back a bank statement', details });
    return { account, lines, cents, fetchedDay };
  });
  await matchOpenLines({ db, clock }); // a payment may explain another line now
  return taken;
}

const noteDayTakenBack = (tx: Db, account: string, day: IsoDate) => tx`
  insert into bank_statement_days_taken_back (account, day) values (${account}, ${day}) on conflict do nothing`;

/** Lists the days of a provider's entries that were taken back and not fetched since. */
export async function listDaysTakenBack(db: Db, account: string): Promise<IsoDate[]> {
  const days = await db<{ day: IsoDate }[]>`
    select day from bank_statement_days_taken_back where account = ${account} order by day`;
  return days.map(({ day }) => day);
}

/** Notes that a day taken back is fetched, so that no further night asks for it. */
export const forgetDayTakenBack = (tx: Db, account: string, day: IsoDate) => tx`
  delete from bank_statement_days_taken_back where account = ${account} and day = ${day}`;
