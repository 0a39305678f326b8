import { type Cents, type IsoDate, noCents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

export interface KeptLine {
  account: string;
  lineId: string;
  bookedOn: IsoDate;
  cents: Cents;
  description: string;
  matchedKind: 'settlement' | 'collection' | 'payout' | 'payout_returned' | 'claim' | 'by_hand' | null;
  matchedWith: string | null;
}

/**
 * Has each statement of a transaction planned for its values. A plan made while there were few lines reads all of them, and of
 * their entries, again for each page of thousands.
 */
export const planForPages = (tx: Db) => tx`set local plan_cache_mode = force_custom_plan`;

/** Blocks imports and matches, by hand or not, until the transaction ends: a line is explained and booked once. */
export async function lockLines(tx: Db): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('sparechange.bank statement'))`;
}

/** Source of the entries of a line of `bank_statement_lines`. */
export const sourceOfLine = (db: Db) => db`coalesce(booked_as, account || ' ' || line_id)`;

/** Lists lines, newest first, up to a limit. */
export async function listLines(db: Db, isOpenOnly: boolean, limit: number): Promise<KeptLine[]> {
  const lines = await db<KeptLine[]>`
    select account, line_id as "lineId", booked_on as "bookedOn", cents, description, matched_kind as "matchedKind",
      matched_with as "matchedWith"
    from bank_statement_lines where ${!isOpenOnly} or matched_kind is null
    order by booked_on desc, account, line_id limit ${limit}`;
  return [...lines];
}

/** Names the line that holds the opening balance of an account's first statement. */
export const openingId = 'opening';

/** Known lines in one page, or ids in one. */
const linesPerPage = 2_000;

/** Lists an account's lines of some days, without its opening balance, in pages of JSON arrays. */
export async function* listKnownPages(
  tx: Db,
  account: string,
  { from, to }: { from: IsoDate; to: IsoDate },
): AsyncGenerator<string> {
  const pages = tx<{ lines: string }[]>`
    select json_agg(json_build_object('lineId', line_id, 'bookedOn', booked_on, 'cents', cents, 'description', description)
      order by booked_on, line_id)::text as lines
    from (
      select *, (row_number() over (order by booked_on, line_id) - 1) / ${linesPerPage}::int as page
      from bank_statement_lines where account = ${account} and line_id <> ${openingId} and booked_on between ${from} and ${to}
    ) as line group by page order by page`;
  for await (const [page] of pages.cursor(1)) if (page) yield page.lines;
}

/** Lists an account's lines of other days with some of the ids, both as JSON arrays; undefined if there are none. */
export async function listKnownByIds(
  tx: Db,
  account: string,
  { from, to }: { from: IsoDate; to: IsoDate },
  ids: string,
): Promise<string | undefined> {
  const [known] = await tx<{ lines: string | null }[]>`
    select json_agg(json_build_object('lineId', line_id, 'bookedOn', booked_on, 'cents', cents, 'description', description)
      order by booked_on, line_id)::text as lines
    from bank_statement_lines
    where account = ${account} and line_id <> ${openingId} and booked_on not between ${from} and ${to}
      and line_id in (select json_array_elements_text(${ids}::json))`;
  return known?.lines ?? undefined;
}

export async function findLine(db: Db, account: string, lineId: string) {
  const [line] = await db<Pick<KeptLine, 'bookedOn' | 'cents' | 'description'>[]>`
    select booked_on as "bookedOn", cents, description from bank_statement_lines
    where account = ${account} and line_id = ${lineId}`;
  return line;
}

export interface LineFilter {
  day?: string | undefined;
  state?: 'open' | 'matched' | undefined;
  /** Cursor of the last line on the page before. */
  after?: string | undefined;
  limit: number;
}

/** Lists lines of a day or all days, newest first. */
export async function listLinesOfDay(db: Db, { day, state, after = '', limit }: LineFilter) {
  const [afterDay = '', afterHash = ''] = after.split(' ');
  const isOpen = state === undefined ? null : state === 'open';
  const lines = await db<(KeptLine & { id: string; reference: string | null; cursor: string })[]>`
    select account || ' ' || line_id as id, account, line_id as "lineId", booked_on as "bookedOn", cents, description, reference,
      matched_kind as "matchedKind", matched_with as "matchedWith", booked_on::text || ' ' || md5(account || ' ' || line_id) as cursor
    from bank_statement_lines
    where (${day ?? null}::date is null or booked_on = ${day ?? null}) and (${isOpen}::boolean is null or (matched_kind is null) = ${isOpen})
      and (${after} = '' or (booked_on::text, md5(account || ' ' || line_id)) < (${afterDay}, ${afterHash}))
    order by booked_on desc, md5(account || ' ' || line_id) desc limit ${limit}`;
  return [...lines];
}

export interface OpenLines {
  lines: number;
  /** Sum of the lines, outgoing money being negative. */
  cents: Cents;
  oldest: IsoDate | null;
}

export async function countOpenLines(db: Db): Promise<OpenLines> {
  const [open] = await db<OpenLines[]>`
    select count(*) as lines, coalesce(sum(cents), 0)::bigint as cents, min(booked_on) as oldest
    from bank_statement_lines where matched_kind is null`;
  return open ?? { lines: 0, cents: noCents, oldest: null };
}
