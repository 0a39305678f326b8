import { createHash } from 'node:crypto';
import { addDays, type Cents, type IsoDate, noCents } from '@sparechange/domain';
import { nextBankingDay } from '@sparechange/domain/banking-calendar';
import type { Db, Pool } from '#db/connect.ts';
import { bookingDay } from '#features/core/ledger/booking-day.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { type GivenAnswers, linesToBook, refuseDifference } from './decide-lines.ts';
import { compareLines, type KnownLine } from './known-lines.ts';
import type { IdentifiedLine } from './line-identity.ts';
import { matchOpenLines } from './match-lines.ts';
import { type IdentifiedStatement, readStatement } from './read-statement.ts';
import { accountOfStatement, type GivenAccount, listKnownAccounts, refuseFileOfAnother } from './statement-account.ts';
import { differenceWith, firstDayOf, gapBefore, inFittingOrder, readKnownBalance } from './statement-balance.ts';
import { type StatementFile, StatementProblem } from './statement-file.ts';
import { listKnownLines, lockLines, openingId } from './statement-line-repository.ts';

export interface ImportedStatement {
  /** Lines in the file. */
  lines: number;
  /** Lines of the file that were not known before. */
  added: number;
  matched: number;
  /** Unexplained lines of all statements. */
  open: number;
  /** Opening balance less the total of the lines before: a statement is missing unless it is zero. */
  gapCents: Cents;
}

type Given = GivenAccount & GivenAnswers;

interface ImportDeps {
  db: Pool;
  clock: Clock;
  encryption: Pick<FieldEncryption, 'hash'>;
}

const batchSize = 1_000;

/** Imports a trust-account statement, as CSV or camt.053. */
export async function importStatement(
  deps: ImportDeps,
  file: Uint8Array | string,
  given: Given = {},
): Promise<ImportedStatement> {
  return bookStatement(deps, await readStatement(file), hashOf(file), given);
}

const hashOf = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');

/**
 * Books a statement's lines. One that was imported before changes nothing. Each new line goes to suspense and is
 * matched from there. Throws StatementProblem before anything is booked if the lines cannot all be right.
 */
async function bookStatement(
  { db, clock, encryption }: ImportDeps,
  statement: IdentifiedStatement,
  fileHash: string,
  given: Given,
): Promise<ImportedStatement> {
  const { lines } = statement;
  const lastDay = nextBankingDay(today(clock)); // as banks date evening movements
  const late = lines.find(({ bookedOn }) => bookedOn > lastDay);
  if (late) throw new StatementProblem(`The line of ${late.bookedOn} is of a day to come.`);
  const { added, gapCents } = await db.begin(async (tx) => {
    await lockLines(tx);
    const known = await listKnownAccounts(tx);
    const { account, accountHashes } = accountOfStatement(known, statement, given, encryption);
    const hashUnder = (each: string) => hashOf(`${each} ${fileHash}`);
    await refuseFileOfAnother(
      tx,
      account,
      known.map((each) => hashUnder(each.account)),
      given,
    );
    const { toBook, gap, difference, openingCents, closingCents } = await decide(tx, account, statement, given);
    for (let at = 0; at < toBook.length; at += batchSize)
      await addLines(tx, clock, account, toBook.slice(at, at + batchSize));
    await tx`
      insert into bank_statements (account, account_hashes, file_hash, lines, opening_cents, closing_cents, opens_on, difference_cents, imported_at)
      values (${account}, ${accountHashes}::text[], ${hashUnder(account)}, ${lines.length}, ${openingCents}, ${closingCents},
        ${(statement.hasRunningBalance && firstDayOf(lines)) || null}, ${difference}, ${clock.now()})
      on conflict (file_hash) do update set difference_cents = excluded.difference_cents,
        account_hashes = coalesce(excluded.account_hashes, bank_statements.account_hashes)`;
    return { added: toBook.length, gapCents: gap };
  });
  const { matched, open } = await matchOpenLines({ db, clock });
  return { lines: lines.length, added, matched, open, gapCents };
}

/** A line to store, under its id. */
interface NewLine extends Pick<IdentifiedLine, 'bookedOn' | 'cents' | 'description' | 'reference'> {
  lineId: string;
}

/** Decides on the lines to book, and evaluates the balances. */
async function decide(tx: Db, account: string, statement: IdentifiedStatement, given: Given) {
  const known = await listKnownOf(tx, account, statement.lines);
  const compared = compareLines(statement.lines, known);
  const opening = await openingLine(tx, account, statement);
  const [before] = await tx`select 1 from bank_statement_lines where account = ${account} limit 1`;
  const balance = before ? await readKnownBalance(tx, account, statement) : undefined;
  const added = linesToBook(compared, given, (lines) =>
    differenceWith(inFittingOrder(statement, balance, lines), balance, lines),
  );
  await refuseBeforeOpening(tx, account, added);
  const ordered = inFittingOrder(statement, balance, added);
  const difference = differenceWith(ordered, balance, added);
  const gap = gapBefore(ordered, balance, opening.length > 0);
  const isAccepted = await wasAccepted(tx, account, difference);
  const unproven = added.length > 0 ? statement.unproven : undefined;
  refuseDifference(difference, { closing: ordered.closingCents ?? noCents, gap, isAccepted, unproven }, given);
  return {
    toBook: [...opening, ...withFreeIds(added, known)],
    gap,
    difference: difference ?? unproven?.missingCents ?? noCents,
    openingCents: ordered.openingCents ?? null,
    closingCents: ordered.closingCents ?? null,
  };
}

/** Gives each line the id to store it under: its own, or else one of its content and its place among equals. */
function withFreeIds(lines: readonly IdentifiedLine[], known: readonly KnownLine[]): NewLine[] {
  const taken = new Set(known.map(({ lineId }) => lineId));
  const places = new Map<string, number>();
  return lines.map((line) => {
    const { id, contentId } = line;
    let lineId = id;
    for (let place = places.get(contentId) ?? 1; taken.has(lineId); place += 1) {
      lineId = place === 1 ? contentId : `${contentId}#${place}`;
      places.set(contentId, place + 1);
    }
    taken.add(lineId);
    return { ...line, lineId };
  });
}

/** Days by which a line's date may differ between one bank's lists: booking or value date. */
const maxDaysApart = 5;

/** Lists known lines of a file's days and ids. */
async function listKnownOf(tx: Db, account: string, lines: readonly IdentifiedLine[]): Promise<KnownLine[]> {
  const days = lines.map(({ bookedOn }) => bookedOn).toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const ids = lines.map(({ id }) => id);
  return listKnownLines(tx, account, { from: addDays(first, -maxDaysApart), to: addDays(last, maxDaysApart), ids });
}

/** Books a line for the opening balance of an account's first statement with lines, to be explained by hand. */
async function openingLine(
  tx: Db,
  account: string,
  { openingCents = noCents, hasRunningBalance = false, lines }: StatementFile,
): Promise<NewLine[]> {
  const [known] = await tx`select 1 from bank_statement_lines where account = ${account} limit 1`;
  const bookedOn = firstDayOf(lines);
  if (known || !bookedOn || openingCents === 0 || hasRunningBalance) return [];
  return [{ lineId: openingId, bookedOn, cents: openingCents, description: 'Opening balance', reference: null }];
}

/** Throws for lines before a booked opening balance, which already includes them. */
async function refuseBeforeOpening(tx: Db, account: string, added: readonly IdentifiedLine[]): Promise<void> {
  const [opening] = await tx<{ day: IsoDate }[]>`
    select booked_on as day from bank_statement_lines where account = ${account} and line_id = ${openingId}`;
  if (opening && added.some(({ bookedOn }) => bookedOn < opening.day))
    throw new StatementProblem(
      `The file has lines of before ${opening.day}. The first statement of the account began on that day, and its opening balance holds them.`,
    );
}

/** Returns true if a file of the account was imported with the same difference: it is still the accepted one. */
async function wasAccepted(tx: Db, account: string, difference: Cents | undefined): Promise<boolean> {
  const [accepted] = await tx`
    select from bank_statements where account = ${account} and difference_cents = ${difference ?? noCents} limit 1`;
  return accepted !== undefined;
}

async function addLines(tx: Db, clock: Clock, account: string, lines: readonly NewLine[]): Promise<void> {
  const bookedOn = await bookingDay(tx, clock);
  await tx`
    with added as (
      insert into bank_statement_lines (account, line_id, booked_on, cents, reference, description, imported_at)
      select ${account}, line.*, ${clock.now()}
      from unnest(${lines.map(({ lineId }) => lineId)}::text[], ${lines.map((line) => line.bookedOn)}::date[],
        ${lines.map(({ cents }) => cents)}::bigint[], ${lines.map(({ reference }) => reference)}::text[],
        ${lines.map(({ description }) => description)}::text[]) as line
      returning line_id, cents
    )
    insert into platform_entries (kind, source, account, cents, booked_on)
    select 'statement_line', ${account} || ' ' || line_id, leg.account, cents * leg.sign, ${bookedOn}
    from added cross join (values ('trust_bank'::platform_account, 1), ('suspense', -1)) as leg (account, sign)`;
}
