import { type Cents, type IsoDate, noCents, subtract, total } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { StatementFile, StatementLine } from './statement-file.ts';
import { openingId } from './statement-line-repository.ts';

type Booked = Pick<StatementLine, 'bookedOn' | 'cents'>;

/** Account's balance by its lines, counted from the first balance that the bank stated. */
export interface KnownBalance {
  /** Balance before the first day of the file. */
  before: Cents;
  /** Balance at the end of its last day. */
  until: Cents;
  lastDay: IsoDate;
  /** First day after the initial balance, which includes earlier lines. */
  opensOn: IsoDate | null;
}

const daysOf = (lines: readonly Booked[]): IsoDate[] => lines.map(({ bookedOn }) => bookedOn).toSorted();

export const firstDayOf = (lines: readonly Booked[]): IsoDate | undefined => daysOf(lines)[0];

/** Reads the balances of known lines around a file's days; undefined if no statement gives an initial balance. */
export async function readKnownBalance(
  tx: Db,
  account: string,
  { lines, closingOn }: StatementFile,
): Promise<KnownBalance | undefined> {
  const lastDay = daysOf([...lines, ...(closingOn ? [{ bookedOn: closingOn, cents: noCents }] : [])]).at(-1);
  const firstDay = firstDayOf(lines) ?? lastDay;
  if (lastDay === undefined || firstDay === undefined) return undefined;
  const [known] = await tx<Omit<KnownBalance, 'lastDay'>[]>`
    with first as (
      select opening_cents, opens_on from bank_statements where account = ${account} and lines > 0
      order by imported_at, id limit 1
    ), line as (
      select booked_on, line_id, cents from bank_statement_lines, first
      where account = ${account} and booked_on <= ${lastDay} and (opens_on is null or booked_on >= opens_on)
    )
    select coalesce(sum(cents), 0)::bigint + base as until, opens_on as "opensOn",
      coalesce(sum(cents) filter (where booked_on < ${firstDay} or line_id = ${openingId}), 0)::bigint + base as before
    from first cross join lateral (select case when opens_on is null then 0 else opening_cents end as base) as base
    left join line on true
    where opening_cents is not null group by base, opens_on`;
  return known && { ...known, lastDay };
}

/** Returns the closing balance less the total including the new lines; undefined if either is not known. */
export function differenceWith(
  { closingCents }: StatementFile,
  known: KnownBalance | undefined,
  added: readonly Booked[],
): Cents | undefined {
  if (closingCents === undefined || !known || (known.opensOn && known.lastDay < known.opensOn)) return undefined;
  const counted = added.filter(({ bookedOn }) => !known.opensOn || bookedOn >= known.opensOn);
  return subtract(subtract(closingCents, known.until), total(counted.map(({ cents }) => cents)));
}

/** Returns a file whose rows may be in either order in the order that leads to its closing balance, if there is one. */
export function inFittingOrder<File extends StatementFile>(
  file: File,
  known: KnownBalance | undefined,
  added: readonly Booked[],
): File {
  const other = { ...file, ...file.otherOrder };
  return differenceWith(file, known, added) !== 0 && differenceWith(other, known, added) === 0 ? other : file;
}

/** Returns the opening balance less the total of the lines of earlier days; zero if that is not known. */
export const gapBefore = (
  { openingCents, lines }: StatementFile,
  known: KnownBalance | undefined,
  isFirst: boolean,
): Cents => {
  const isUnknown = openingCents === undefined || lines.length === 0 || !known || isFirst;
  return isUnknown ? noCents : subtract(openingCents, known.before);
};
