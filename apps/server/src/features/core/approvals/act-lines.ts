import { printableLine } from '@sparechange/domain';

/** One of an act's arguments, in words. */
export interface ActLine {
  label: string;
  value: string;
  /** Club that the argument names. */
  clubId?: string;
}

/** Words about a club, which a page links to it. */
export interface ClubWords {
  text: string;
  clubId: string;
}

/** Words by label; what is undefined is left out. */
export type Words = Record<string, string | ClubWords | undefined>;

function lineOf(label: string, value: string | ClubWords): ActLine {
  if (typeof value === 'string') return { label, value: printableLine(value) };
  return { label, value: printableLine(value.text), clubId: value.clubId };
}

/** Returns words as lines of printable characters. */
export const linesOf = (words: Words): ActLine[] =>
  Object.entries(words).flatMap(([label, value]) => (value === undefined ? [] : [lineOf(label, value)]));

/** Returns what cannot be read, such as arguments of a newer version, as it was recorded. */
export const linesAsRecorded = (recorded: unknown): ActLine[] =>
  linesOf({ 'Asked for with': JSON.stringify(recorded) });
