import { add, type Cents, formatCents, gapInWords, magnitude, moreOrLess, noCents } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { quoted } from '#errors.ts';
import type { ComparedLines, UncertainLine } from './known-lines.ts';
import type { IdentifiedLine } from './line-identity.ts';
import { ImportQuestion, type Unproven } from './statement-file.ts';

/** A person's answers to the questions of an import. */
export interface GivenAnswers {
  /** Lines that resemble known ones: they are the known ones (same), or further booked ones (new). */
  changedLines?: 'same' | 'new' | undefined;
  /**
   * Accepted difference, without its sign, between the closing balance and the lines, with which the file is imported
   * anyway.
   */
  acceptedCents?: Cents | undefined;
}

/** Maximum number of uncertain lines named one by one. */
const maxNamed = 3;

const ofDay = ({ cents, bookedOn }: UncertainLine['other']): string => `${formatCents(cents)} of ${bookedOn}`;

function inWords({ line, other, why }: UncertainLine): string {
  const [id, description] = [quoted(line.bankId ?? ''), quoted(line.description)];
  if (why === 'repeated')
    return `The file has the line ${description}, ${ofDay(line)}, with the id ${id} more than once.`;
  if (why === 'other words')
    return `The line ${description}, ${ofDay(line)}, is new, but ${quoted(other.description)} of that day and amount, imported before, is not in this file.`;
  if (why === 'id with other words')
    return `The line ${description}, ${ofDay(line)}, has the id ${id} of ${quoted(other.description)} of that day and amount, imported before. If the bank numbers its lines afresh in each file, leave the ids out.`;
  return `The id ${line.bankId?.slice(0, 40)} of a line of ${line.bookedOn} is that of another line, ${ofDay(other)}. If the bank numbers its lines afresh in each file, leave the ids out.`;
}

/**
 * Returns the lines of a file to book. If some may be known ones, the closing balance decides, or else a person: throws
 * ImportQuestion with it.
 */
export function linesToBook(
  { fresh, uncertain }: ComparedLines,
  { changedLines }: GivenAnswers,
  differenceOf: (added: readonly IdentifiedLine[]) => Cents | undefined,
): IdentifiedLine[] {
  const all = [...fresh, ...uncertain.map(({ line }) => line)];
  if (uncertain.length === 0 || changedLines === 'same') return fresh;
  if (changedLines === 'new') return all;
  const [asSame, asNew] = [differenceOf(fresh) === 0, differenceOf(all) === 0];
  if (asSame !== asNew) return asSame ? fresh : all;
  const named = uncertain.slice(0, maxNamed).map(inWords);
  const more = uncertain.length > maxNamed ? [`So it is with ${uncertain.length - maxNamed} more.`] : [];
  const them = counted(uncertain.length, 'line');
  const words = [
    ...named,
    ...more,
    `Please say of the ${them} in doubt: the same as known ones, which books nothing for them, or new, which books them too.`,
  ].join(' ');
  throw new ImportQuestion(words, 'changedLines', noCents);
}

interface Balanced {
  closing: Cents;
  gap: Cents;
  /** True if this difference was accepted before. */
  isAccepted: boolean;
  unproven: Unproven | undefined;
}

const differenceInWords = (difference: Cents, { closing, gap }: Balanced): string => {
  const why =
    gap === 0 ? 'Lines may be missing, or have been imported twice.' : `${gapInWords(gap)} Import that one first.`;
  return `The closing balance of ${formatCents(closing)} is ${moreOrLess(difference)} than the lines known and those of the file come to. ${why}`;
};

/** Throws ImportQuestion for unproven rows and a difference that nobody has accepted, with the amount to accept. */
export function refuseDifference(
  difference: Cents | undefined,
  balanced: Balanced,
  { acceptedCents }: GivenAnswers,
): void {
  const { isAccepted, unproven } = balanced;
  // A sum missing between the rows is missing in the closing balance, too: one question covers both.
  const isOpen = difference && !isAccepted && difference !== unproven?.missingCents;
  const asked = add(unproven?.cents ?? noCents, isOpen ? magnitude(difference) : noCents);
  if (asked === 0 || acceptedCents === asked) return;
  const words = [
    ...(unproven ? [unproven.words] : []),
    ...(isOpen ? [differenceInWords(difference, balanced)] : []),
    `To import the file all the same, accept a difference of ${formatCents(asked)}.`,
  ].join(' ');
  throw new ImportQuestion(words, 'acceptedCents', asked);
}
