import { type Cents, daysBetween, type IsoDate } from '@sparechange/domain';
import { bankIdOfKept, folded, type IdentifiedLine } from './line-identity.ts';
import { daysOf } from './statement-balance.ts';

/** A line of the account that was imported before. */
export interface KnownLine {
  lineId: string;
  bookedOn: IsoDate;
  cents: Cents;
  description: string;
}

/** A line of the file that may be a known one or a new one. */
export interface UncertainLine {
  line: IdentifiedLine;
  /** Known line that it may be, or the line of the file that it repeats. */
  other: KnownLine | Omit<KnownLine, 'lineId'>;
  why: 'id of another' | 'id with other words' | 'other words' | 'repeated';
}

export interface ComparedLines {
  /** Lines that are not known. */
  fresh: IdentifiedLine[];
  uncertain: UncertainLine[];
  /** Known lines that the file has. */
  found: KnownLine[];
  /** Known lines of the file's days that it neither has nor has in other words. */
  missing: KnownLine[];
}

interface Candidate extends KnownLine {
  bankId: string | undefined;
  isTaken: boolean;
}

/** Returns a candidate not taken by the file's lines. */
function nextOf(candidates: Candidate[] | undefined): Candidate | undefined {
  while (candidates?.at(-1)?.isTaken) candidates.pop();
  return candidates?.at(-1);
}

function take(candidates: Candidate[] | undefined): Candidate | undefined {
  const candidate = nextOf(candidates);
  candidates?.pop();
  if (candidate) candidate.isTaken = true;
  return candidate;
}

type Placed = Pick<KnownLine, 'bookedOn' | 'cents'>;
type Candidates = Map<string, Candidate[]>;
const withDay = ({ bookedOn, cents }: Placed, said: string | undefined = ''): string => `${bookedOn}|${cents}|${said}`;
const withId = (line: Placed & { bankId: string | undefined }, words = ''): string =>
  withDay(line, `${line.bankId ?? ''}\n${words}`);

const isMask = (one = '', other = ''): boolean => one === 'X' && /\d/.test(other);

/** Returns whether stored words match a line: earlier imports masked fewer digits, or more. */
const isSaid = (kept: string, words: string): boolean =>
  kept.length === words.length &&
  kept.split('').every((sign, at) => sign === words[at] || isMask(sign, words[at]) || isMask(words[at], sign));

const wordsOf = (lines: readonly Candidate[]): Candidates =>
  Map.groupBy(lines, (line) => withDay(line, folded(line.description)));

const takeSaid = (said: Candidates, line: IdentifiedLine) =>
  take(said.get(withDay(line, line.description))) ?? take(said.get(withDay(line, line.text)));

/** Creates the matchers for known lines, surest first; each known line matches at most one line of the file. */
function waysToKnown(known: readonly Candidate[]): ((line: IdentifiedLine) => Candidate | undefined)[] {
  const [named, unnamed] = [known.filter(({ bankId }) => bankId), known.filter(({ bankId }) => !bankId)];
  const ofIdAndWords = Map.groupBy(named, (line) => withId(line, folded(line.description)));
  const ofId = Map.groupBy(named, (line) => withId(line));
  const ofContent = Map.groupBy(unnamed, ({ lineId }) => lineId.replace(/#\d{1,6}$/, ''));
  const [ofNamedWords, ofUnnamedWords] = [wordsOf(named), wordsOf(unnamed)];
  const takeMasked = (line: IdentifiedLine) => {
    const candidates = ofId.get(withId(line)) ?? [];
    const kept = folded(nextOf(candidates)?.description ?? '');
    return [line.description, line.text].some((words) => isSaid(kept, words)) ? take(candidates) : undefined;
  };
  return [
    (line) =>
      line.bankId
        ? (take(ofIdAndWords.get(withId(line, line.description))) ?? take(ofIdAndWords.get(withId(line, line.text))))
        : undefined,
    (line) => (line.bankId ? takeMasked(line) : undefined),
    ({ contentId, rawContentId }) => take(ofContent.get(contentId)) ?? take(ofContent.get(rawContentId)),
    (line) => takeSaid(ofUnnamedWords, line),
    // Two lines with different bank ids are different, even with equal words.
    (line) => (line.bankId ? undefined : takeSaid(ofNamedWords, line)),
  ];
}

/**
 * Finds a file's new lines and uncertain ones. A file covers whole days, so a line occurs as often as the file has it.
 */
export function compareLines(lines: readonly IdentifiedLine[], knownLines: readonly KnownLine[]): ComparedLines {
  const known = knownLines.map((line): Candidate => ({ ...line, bankId: bankIdOfKept(line.lineId), isTaken: false }));
  const found = waysToKnown(known).reduce((rest, way) => rest.filter((line) => !way(line)), [...lines]);
  const left = withoutRenumbered(found, known);
  const ofDay = Map.groupBy(known, (line) => withDay(line));
  const ofId = Map.groupBy(known, ({ bankId }) => bankId);
  const earlier = new Map<string, IdentifiedLine>();
  const compared: ComparedLines = {
    fresh: [],
    uncertain: [],
    found: known.filter(({ isTaken }) => isTaken),
    missing: [],
  };
  const withTheirIds = pairsById(left, known);
  for (const line of left) {
    const uncertain =
      repeated(line, line.bankId ? earlier.get(line.bankId) : undefined) ??
      withTheirIds.get(line) ??
      idOfAnother(line, line.bankId ? ofId.get(line.bankId) : undefined) ??
      otherWords(line, take(ofDay.get(withDay(line))));
    if (uncertain) compared.uncertain.push(uncertain);
    else compared.fresh.push(line);
    if (line.bankId) earlier.set(line.bankId, line);
  }
  const { firstDay = '', lastDay = '' } = daysOf(lines);
  const doubted = new Set(compared.uncertain.map(({ other }) => other));
  compared.missing = known.filter(
    (line) => !line.isTaken && !doubted.has(line) && line.bookedOn >= firstDay && line.bookedOn <= lastDay,
  );
  return compared;
}

/**
 * Leaves out lines with the content of a known one whose id another line of the file has: the bank has renumbered, and
 * its ids do not distinguish lines.
 */
function withoutRenumbered(lines: readonly IdentifiedLine[], known: readonly Candidate[]): readonly IdentifiedLine[] {
  const ids = new Set(lines.flatMap((line) => (line.bankId ? [withId(line)] : [])));
  const renumbered = wordsOf(known.filter((line) => line.bankId && !line.isTaken && ids.has(withId(line))));
  return renumbered.size === 0 ? lines : lines.filter((line) => !takeSaid(renumbered, line));
}

/** Pairs lines with known ones of their id, day and amount in other words. */
function pairsById(lines: readonly IdentifiedLine[], known: readonly Candidate[]): Map<IdentifiedLine, UncertainLine> {
  const ofId = Map.groupBy(known, (line) => withId(line));
  const pairs = new Map<IdentifiedLine, UncertainLine>();
  for (const line of lines) {
    const other = line.bankId ? take(ofId.get(withId(line))) : undefined;
    if (other) pairs.set(line, { line, other, why: 'id with other words' });
  }
  return pairs;
}

const repeated = (line: IdentifiedLine, other: IdentifiedLine | undefined): UncertainLine | undefined =>
  other && { line, other, why: 'repeated' };

const otherWords = (line: IdentifiedLine, other: Candidate | undefined): UncertainLine | undefined =>
  other && { line, other, why: 'other words' };

/**
 * Pairs a line with a known line of its id that is missing from the file: one of its amount, nearest to its day, if
 * any.
 */
function idOfAnother(line: IdentifiedLine, known: readonly Candidate[] = []): UncertainLine | undefined {
  const distance = ({ cents, bookedOn }: Candidate): number =>
    (cents === line.cents ? 0 : 1_000_000) + Math.abs(daysBetween(bookedOn, line.bookedOn));
  const [nearest] = known.filter(isElsewhere(line)).toSorted((one, other) => distance(one) - distance(other));
  return nearest && { line, other: nearest, why: 'id of another' };
}

/** Excludes a known line of the same day and amount: it is another line of the file, or it would be in doubt. */
const isElsewhere = (line: IdentifiedLine) => (other: Candidate) => withDay(other) !== withDay(line);
