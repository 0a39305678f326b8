/** Returns a number with its noun, as in "1 club" and "1,200 clubs"; a plural that does not end in s is given. */
export const counted = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString('en-AU')} ${count === 1 ? one : more}`;

/** Rows that may be a million are counted up to here where each look counts them. */
export const maxCounted = 10_000;

/** Returns what was counted up to `maxCounted`, as in "9,999" and "10,000 or more". */
export const countedInWords = (count: number): string =>
  `${Math.min(count, maxCounted).toLocaleString('en-AU')}${count < maxCounted ? '' : ' or more'}`;
