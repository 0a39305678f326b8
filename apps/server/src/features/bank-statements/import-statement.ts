import { createHash } from 'node:crypto';
import { type Cents, formatCents, type IsoDate, noCents } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { bookingDay } from '#features/ledger/booking-day.ts';
import { type Clock, today } from '#ports/clock.ts';
import { type IdentifiedLine, identifyLines } from './line-identity.ts';
import { matchOpenLines } from './match-lines.ts';
import { parseCamt053 } from './parse-camt053.ts';
import { parseCsvStatement } from './parse-csv.ts';
import { accountOfStatement, type GivenAccount } from './statement-account.ts';
import { type StatementFile, type StatementLine, StatementProblem } from './statement-file.ts';
import { lockLines } from './statement-line-repository.ts';

export interface ImportedStatement {
  /** Lines in the file. */
  lines: number;
  /** Those of them that were not known before. */
  added: number;
  matched: number;
  /** Lines of all statements that nothing explains yet. */
  open: number;
  /** The opening balance less what the lines before lead to: a statement is missing unless it is zero. */
  gapCents: Cents;
}

const batchSize = 1_000;

/**
 * Imports a statement of the trust account, as CSV or camt.053. A line that was imported before changes nothing. Each
 * new line goes to suspense and is matched from there.
 */
export async function importStatement(
  { db, clock }: { db: Pool; clock: Clock },
  content: string,
  given: GivenAccount = {},
): Promise<ImportedStatement> {
  if (content.includes('\0')) throw new StatementProblem('The file is no text.');
  const file = content.trimStart().startsWith('<') ? parseCamt053(content) : parseCsvStatement(content);
  const lines = identifyLines(file.lines);
  const late = lines.find(({ bookedOn }) => bookedOn > today(clock));
  if (late) throw new StatementProblem(`The line of ${late.bookedOn} is of a day to come.`);
  const { added, gapCents } = await db.begin(async (tx) => {
    await lockLines(tx);
    const account = await accountOfStatement(tx, file.account, given);
    await refuseBeforeOpening(tx, account, lines);
    await refuseIdsOfOthers(tx, account, lines);
    const opening = await openingLine(tx, account, file, lines);
    let count = 0;
    const all = [...opening, ...lines];
    for (let at = 0; at < all.length; at += batchSize)
      count += await addLines(tx, clock, account, all.slice(at, at + batchSize));
    await tx`
      insert into bank_statements (account, file_hash, lines, opening_cents, closing_cents, imported_at)
      values (${account}, ${createHash('sha256').update(content).digest('hex')}, ${lines.length}, ${file.openingCents ?? null},
        ${file.closingCents ?? null}, ${clock.now()})
      on conflict do nothing`;
    return { added: count, gapCents: await gapBefore(tx, account, file) };
  });
  const { matched, open } = await matchOpenLines({ db, clock });
  return { lines: lines.length, added, matched, open, gapCents };
}

/** An account that was not empty when its first statement with a line begins has a line for that, to be explained by hand. */
async function openingLine(
  tx: Db,
  account: string,
  { openingCents = noCents }: StatementFile,
  lines: readonly IdentifiedLine[],
): Promise<IdentifiedLine[]> {
  const [known] = await tx`select 1 from bank_statement_lines where account = ${account} limit 1`;
  const bookedOn = firstDayOf(lines);
  if (known || !bookedOn || openingCents === 0) return [];
  return [{ id: openingId, bookedOn, cents: openingCents, text: 'Opening balance', reference: null }];
}

const openingId = 'opening';

const firstDayOf = (lines: readonly StatementLine[]): IsoDate | undefined =>
  lines.map(({ bookedOn }) => bookedOn).toSorted()[0];

/** Throws for lines, not known yet, of before an opening balance that is booked: it holds them. */
async function refuseBeforeOpening(tx: Db, account: string, lines: readonly IdentifiedLine[]): Promise<void> {
  const [opening] = await tx<{ day: IsoDate }[]>`
    select booked_on as day from bank_statement_lines where account = ${account} and line_id = ${openingId}`;
  const early = lines.filter(({ bookedOn }) => opening && bookedOn < opening.day);
  if (!opening || early.length === 0) return;
  const [known] = await tx<{ lines: number }[]>`
    select count(*)::int as lines from bank_statement_lines
    where account = ${account} and line_id = any(${early.map(({ id }) => id)})`;
  if ((known?.lines ?? 0) < early.length)
    throw new StatementProblem(
      `The file has lines of before ${opening.day}. The first statement of the account began on that day, and its opening balance holds them.`,
    );
}

/** Lists of one bank may differ in the day of a line by so much: of booking, or of value. */
const maxDaysApart = 5;

/** Lines that share an id of the bank, such as a transfer and its fee. */
const maxOfOneId = 9;

/**
 * Throws for a line with the id of another one: it would be taken for that one, and its money be in no book. Lines of one id
 * may come in another order.
 */
async function refuseIdsOfOthers(tx: Db, account: string, lines: readonly IdentifiedLine[]): Promise<void> {
  const [other] = await tx<{ id: string; day: IsoDate; known: IsoDate; knownCents: Cents }[]>`
    select known.line_id as id, line.booked_on as day, known.booked_on as known, known.cents as "knownCents"
    from unnest(${lines.map(({ id }) => id)}::text[], ${lines.map(({ bookedOn }) => bookedOn)}::date[],
      ${lines.map(({ cents }) => cents)}::bigint[]) as line (id, booked_on, cents)
    join bank_statement_lines known on known.account = ${account} and known.line_id = line.id
    where (known.cents <> line.cents or abs(known.booked_on - line.booked_on) > ${maxDaysApart})
      and (
        select count(*) from bank_statement_lines same, regexp_replace(line.id, '#\\d+$', '') as bank_id
        where same.account = ${account} and same.line_id = any(array[bank_id] || array(
            select bank_id || '#' || place from generate_series(2, ${maxOfOneId}) as place))
          and same.cents = line.cents and abs(same.booked_on - line.booked_on) <= ${maxDaysApart}) = 0
    order by line.booked_on, line.id limit 1`;
  if (!other) return;
  const { id, day, known, knownCents } = other;
  throw new StatementProblem(
    `The id ${id} of a line of ${day} is that of another line, ${formatCents(knownCents)} of ${known}. If the bank numbers its lines anew in each file, leave the ids out.`,
  );
}

/** Returns the opening balance less what the lines of the days before lead to; zero where that is not known. */
async function gapBefore(tx: Db, account: string, { openingCents, lines }: StatementFile): Promise<Cents> {
  const from = firstDayOf(lines);
  if (openingCents === undefined || from === undefined) return noCents;
  const [row] = await tx<{ gapCents: Cents | null }[]>`
    select ${openingCents}::bigint - sum(cents)::bigint as "gapCents" from bank_statement_lines
    where account = ${account} and (booked_on < ${from} or (line_id = ${openingId} and booked_on = ${from}))
      and (select opening_cents from bank_statements where account = ${account} and lines > 0
        order by imported_at, id limit 1) is not null`;
  return row?.gapCents ?? noCents;
}

async function addLines(tx: Db, clock: Clock, account: string, lines: readonly IdentifiedLine[]): Promise<number> {
  const bookedOn = await bookingDay(tx, clock);
  const [row] = await tx<{ added: number }[]>`
    with added as (
      insert into bank_statement_lines (account, line_id, booked_on, cents, reference, description, imported_at)
      select ${account}, line.*, ${clock.now()}
      from unnest(${lines.map(({ id }) => id)}::text[], ${lines.map((line) => line.bookedOn)}::date[],
        ${lines.map(({ cents }) => cents)}::bigint[], ${lines.map(({ reference }) => reference)}::text[],
        ${lines.map(({ text }) => text.slice(0, 500))}::text[]) as line
      on conflict do nothing returning line_id, cents
    ), posted as (
      insert into platform_entries (kind, source, account, cents, booked_on)
      select 'statement_line', ${account} || ' ' || line_id, leg.account, cents * leg.sign, ${bookedOn}
      from added cross join (values ('trust_bank'::platform_account, 1), ('suspense', -1)) as leg (account, sign)
    )
    select count(*) as added from added`;
  return row?.added ?? 0;
}
