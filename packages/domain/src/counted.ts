/** Returns a number with its noun, as in "1 club" and "1,200 clubs". An irregular plural is passed as `plural`. */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count.toLocaleString('en-AU')} ${count === 1 ? singular : plural}`;

/** The limit of a count that every view of a list repeats, as there may be a million rows. */
export const maxCounted = 10_000;

/** Formats a count that stopped at `maxCounted`, as in "9,999" and "10,000 or more". */
export const countedInWords = (count: number): string =>
  `${Math.min(count, maxCounted).toLocaleString('en-AU')}${count < maxCounted ? '' : ' or more'}`;
