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

/** Days of a file's first and last line, if it has lines, and of its closing balance. */
export interface DaysOfFile {
  firstDay?: IsoDate;
  lastDay?: IsoDate;
  closingOn?: IsoDate;
}

/** Returns the days of the first and the last line by day; neither if there are no lines. */
export function daysOf(lines: readonly Booked[]): Pick<DaysOfFile, 'firstDay' | 'lastDay'> {
  let [firstDay, lastDay] = [lines[0]?.bookedOn, lines[0]?.bookedOn];
  if (firstDay === undefined || lastDay === undefined) return {};
  for (const { bookedOn } of lines) {
    if (bookedOn < firstDay) firstDay = bookedOn;
    if (bookedOn > lastDay) lastDay = bookedOn;
  }
  return { firstDay, lastDay };
}

/** Reads the balances of known lines around a file's days; undefined if no statement gives an initial balance. */
export async function readKnownBalance(tx: Db, account: string, days: DaysOfFile): Promise<KnownBalance | undefined> {
  const lastDay = [days.lastDay, days.closingOn]
    .flatMap((day) => day ?? [])
    .toSorted()
    .at(-1);
  const firstDay = days.firstDay ?? lastDay;
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
