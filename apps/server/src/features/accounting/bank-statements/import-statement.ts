import type { ColumnMapping } from '@sparechange/contract/console';
import type { Cents, IsoDate } from '@sparechange/domain';
import { nextBankingDay } from '@sparechange/domain/banking-calendar';
import type { Db, Pool } from '#db/connect.ts';
import { bookingDay } from '#features/core/ledger/booking-day.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { type GivenPlace, withOurStatement } from './account-in-file.ts';
import type { GivenAnswers } from './decide-lines.ts';
import { matchOpenLines } from './match-lines.ts';
import type { GivenMappings } from './parse-csv.ts';
import { readKnown } from './read-known.ts';
import type { OpenedStatement } from './read-statement.ts';
import { lockLines, planForPages, sourceOfLine } from './statement-line-repository.ts';
import { keepMapping, listMappings } from './statement-mappings.ts';
import { forgetDayTakenBack } from './take-back.ts';

export interface ImportedStatement {
  /** Id by which the import can be taken back. */
  statementId: string;
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

export type Given = GivenPlace &
  GivenAnswers & {
    mapping?: ColumnMapping | undefined;
    /** True if columns are asked for again, though a mapping is kept. */
    asksColumns?: boolean | undefined;
  };

/** Progress of an import: lines booked of those that are new, then lines compared with payments of all that are open. */
export interface ImportProgress {
  stage: 'booking' | 'matching';
  done: number;
  of: number;
}

interface How {
  /** True if the file is packed with gzip. */
  isPacked?: boolean;
  /** Sydney day of a provider's entries; none for a file. */
  fetchedDay?: IsoDate | undefined;
  noteProgress?: (progress: ImportProgress) => Promise<void>;
}

export interface ImportDeps {
  db: Pool;
  clock: Clock;
  encryption: Pick<FieldEncryption, 'hash'>;
}

/**
 * Imports a trust-account statement. One that was imported before changes nothing. Each new line
 * goes to suspense and is matched from there. Throws StatementProblem before anything is booked if the lines cannot all
 * be right.
 */
export async function importStatement(
  deps: ImportDeps,
  content: Uint8Array | string,
  given: Given = {},
  { isPacked = false, fetchedDay, noteProgress = async () => {} }: How = {},
): Promise<ImportedStatement> {
  const { db, clock } = deps;
  const lastBookingDay = nextBankingDay(today(clock)); // as banks date evening movements
  const { statementId, lines, added, gapCents } = await withOurStatement(
    deps,
    { content, isPacked, lastBookingDay, mappings: await mappingsFor(db, given) },
    given,
    (statement) => db.begin((tx) => bookStatement(tx, deps, statement, { given, fetchedDay, noteProgress })),
  );
  const toMatch = await countToMatch(db);
  const { matched, open } = await matchOpenLines({ db, clock }, (done) =>
    noteProgress({ stage: 'matching', done, of: Math.max(done, toMatch) }),
  );
  return { statementId, lines, added, matched, open, gapCents };
}

/** Returns the meanings of columns that a person gives, and those given before. */
export const mappingsFor = async (db: Db, { mapping, asksColumns }: Given): Promise<GivenMappings> => ({
  given: mapping,
  kept: mapping || asksColumns ? [] : await listMappings(db),
});

async function countToMatch(db: Db): Promise<number> {
  const [open] = await db<{ lines: number }[]>`
    select count(*) as lines from bank_statement_lines where matched_kind is null and reference is not null`;
  return open?.lines ?? 0;
}

/** Books a statement's lines in one transaction. */
async function bookStatement(
  tx: Db,
  { clock, encryption }: ImportDeps,
  statement: OpenedStatement,
  { given, fetchedDay, noteProgress }: { given: Given } & Pick<How, 'fetchedDay'> & Required<Pick<How, 'noteProgress'>>,
) {
  const { facts } = statement;
  await lockLines(tx);
  await planForPages(tx);
  const { account, accountHashes, fileHash, history } = await readKnown(tx, encryption, statement, given);
  const { added, gap, difference, openingCents, closingCents } = await statement.decide({ history, given });
  const bookedOn = await bookingDay(tx, clock);
  const [kept] = await tx<{ id: string }[]>`
    insert into bank_statements
      (account, account_hashes, file_hash, lines, opening_cents, closing_cents, opens_on, difference_cents, added, imported_at,
       fetched_day)
    values (${account}, ${accountHashes}::text[], ${fileHash}, ${facts.count}, ${openingCents}, ${closingCents},
      ${(facts.hasRunningBalance && facts.firstDay) || null}, ${difference}, ${added}, ${clock.now()},
      ${fetchedDay ?? null})
    on conflict (file_hash) do update set difference_cents = excluded.difference_cents,
      account_hashes = coalesce(excluded.account_hashes, bank_statements.account_hashes),
      added = bank_statements.added + excluded.added,
      fetched_day = coalesce(excluded.fetched_day, bank_statements.fetched_day)
    returning id`;
  const statementId = kept?.id ?? '';
  let done = 0;
  for (let page = await statement.nextLines(); page; page = await statement.nextLines()) {
    done += await addLines(tx, { account, statementId, importedAt: clock.now(), bookedOn }, page);
    await noteProgress({ stage: 'booking', done, of: added });
  }
  for (let ids = await statement.nextHeld(); ids; ids = await statement.nextHeld())
    await noteHeld(tx, { account, statementId }, ids);
  if (fetchedDay) await forgetDayTakenBack(tx, account, fetchedDay);
  if (facts.mapped) await keepMapping(tx, { account, savedAt: clock.now() }, facts.mapped);
  return { statementId, lines: facts.count, added, gapCents: gap };
}

interface Importing {
  account: string;
  statementId: string;
  importedAt: Date;
  bookedOn: IsoDate;
}

/** Notes that a statement has known lines too, with a page of ids as a JSON array: they stay when another is taken back. */
const noteHeld = (tx: Db, { account, statementId }: Pick<Importing, 'account' | 'statementId'>, ids: string) => tx`
  update bank_statement_lines set statements = statements || ${statementId}::uuid
  where account = ${account} and line_id in (select json_array_elements_text(${ids}::json))
    and not statements @> array[${statementId}::uuid]`;

/** Adds a page of lines, a JSON array, and books them to suspense; returns their number. */
async function addLines(
  tx: Db,
  { account, statementId, importedAt, bookedOn }: Importing,
  page: string,
): Promise<number> {
  const [row] = await tx<{ added: number }[]>`
    with added as (
      insert into bank_statement_lines (account, line_id, booked_on, cents, reference, description, imported_at, statements, booked_as)
      select ${account}, line.*, ${importedAt}, array[${statementId}::uuid], case when exists (
        select from platform_entries where kind = 'statement_line' and source = ${account} || ' ' || "lineId")
        then ${account} || ' ' || "lineId" || ' ' || ${statementId} end
      from json_to_recordset(${page}::json)
        as line ("lineId" text, "bookedOn" date, cents bigint, reference text, description text)
      returning cents, ${sourceOfLine(tx)} as source
    ), booked as (
      insert into platform_entries (kind, source, account, cents, booked_on)
      select 'statement_line', source, leg.account, cents * leg.sign, ${bookedOn}
      from added cross join (values ('trust_bank'::platform_account, 1), ('suspense', -1)) as leg (account, sign)
    )
    select count(*) as added from added`;
  return row?.added ?? 0;
}
