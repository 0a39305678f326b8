import { type Cents, type IsoDate, noCents } from '@sparechange/domain';
import { type GivenAnswers, linesToBook, refuseDifference } from './decide-lines.ts';
import { type ComparedLines, compareLines, type KnownLine } from './known-lines.ts';
import type { IdentifiedLine } from './line-identity.ts';
import { daysOf, differenceWith, gapBefore, inFittingOrder, type KnownBalance } from './statement-balance.ts';
import { type StatementFile, StatementProblem } from './statement-file.ts';
import { openingId } from './statement-line-repository.ts';

export interface IdentifiedStatement extends StatementFile {
  lines: IdentifiedLine[];
}

/** Facts of an account's earlier statements that decide on a file, beside their lines. */
export interface AccountHistory {
  hasLines: boolean;
  balance?: KnownBalance | undefined;
  /** Day of the line that holds the opening balance, if there is one. */
  openingDay?: IsoDate | undefined;
  /** Differences with which files were imported. */
  acceptedCents: readonly Cents[];
}

/** A line to store, under its id. */
export interface NewLine extends Pick<IdentifiedLine, 'bookedOn' | 'cents' | 'description' | 'reference'> {
  lineId: string;
}

export interface DecidedImport {
  compared: ComparedLines;
  /** Known lines that the file has. */
  held: readonly Pick<KnownLine, 'lineId'>[];
  /** New lines of the file. */
  added: readonly IdentifiedLine[];
  /** Those lines with their ids in the database, after a line for the opening balance if there is one. */
  toBook: NewLine[];
  gap: Cents;
  difference: Cents;
  openingCents: Cents | null;
  closingCents: Cents | null;
}

/** Decides on the lines to book, and evaluates the balances. Throws StatementProblem if the lines cannot all be right. */
export function decideImport(
  statement: IdentifiedStatement,
  known: readonly KnownLine[],
  { hasLines, balance, openingDay, acceptedCents }: AccountHistory,
  given: GivenAnswers,
): DecidedImport {
  const compared = compareLines(statement.lines, known);
  const opening = hasLines ? [] : openingLine(statement);
  const added = linesToBook(compared, given, (lines) =>
    differenceWith(inFittingOrder(statement, balance, lines), balance, lines),
  );
  if (openingDay) refuseBefore(openingDay, added);
  const ordered = inFittingOrder(statement, balance, added);
  const difference = differenceWith(ordered, balance, added);
  const gap = gapBefore(ordered, balance, opening.length > 0);
  // A difference accepted with a file of the account is still the accepted one.
  const isAccepted = acceptedCents.includes(difference ?? noCents);
  const unproven = added.length > 0 ? ordered.unproven : undefined;
  refuseDifference(difference, { closing: ordered.closingCents ?? noCents, gap, isAccepted, unproven }, given);
  return {
    compared,
    added,
    held: heldOf(compared, added),
    toBook: [...opening, ...withFreeIds(added, known)],
    gap,
    difference: difference ?? unproven?.missingCents ?? noCents,
    openingCents: ordered.openingCents ?? null,
    closingCents: ordered.closingCents ?? null,
  };
}

/** Returns the known lines that a file has, those included that lines in doubt were said to be. */
function heldOf({ found, uncertain }: ComparedLines, added: readonly IdentifiedLine[]): Pick<KnownLine, 'lineId'>[] {
  const isNew = new Set(added);
  const said = uncertain.flatMap(({ line, other }) => (isNew.has(line) || !('lineId' in other) ? [] : [other]));
  return [...found, ...said];
}

/** Gives each line the id to store it under: its own, or else one of its content and its place among equals. */
function withFreeIds(lines: readonly IdentifiedLine[], known: readonly KnownLine[]): NewLine[] {
  const taken = new Set(known.map(({ lineId }) => lineId));
  const places = new Map<string, number>();
  return lines.map(({ id, contentId, bookedOn, cents, description, reference }) => {
    let lineId = id;
    for (let place = places.get(contentId) ?? 1; taken.has(lineId); place += 1) {
      lineId = place === 1 ? contentId : `${contentId}#${place}`;
      places.set(contentId, place + 1);
    }
    taken.add(lineId);
    return { lineId, bookedOn, cents, description, reference };
  });
}

/** Returns a line for the opening balance of an account's first statement with lines, to be explained by hand. */
function openingLine({ openingCents = noCents, hasRunningBalance = false, lines }: StatementFile): NewLine[] {
  const { firstDay } = daysOf(lines);
  if (!firstDay || openingCents === 0 || hasRunningBalance) return [];
  return [
    { lineId: openingId, bookedOn: firstDay, cents: openingCents, description: 'Opening balance', reference: null },
  ];
}

/** Throws for lines before a booked opening balance, which already includes them. */
function refuseBefore(openingDay: IsoDate, added: readonly IdentifiedLine[]): void {
  if (added.some(({ bookedOn }) => bookedOn < openingDay))
    throw new StatementProblem(
      `The file has lines of before ${openingDay}. The first statement of the account began on that day, and its opening balance holds them.`,
    );
}
