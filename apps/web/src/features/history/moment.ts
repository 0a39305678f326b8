import { type Cents, formatCents } from '@sparechange/domain';
import { useEffect, useState } from 'react';
import { readStored, store } from '#api/stored.ts';

/** Sums worth a word, in cents; the first is any debit that has arrived. */
const marks = [1, 1_000, 5_000, 10_000, 25_000, 50_000, 100_000] as const;

/** Returns the highest mark that a sum has reached; 0 below the first. */
export const markReached = (given: Cents): number => marks.findLast((mark) => mark <= given) ?? 0;

const wordsOf = (mark: number): string =>
  mark === 1
    ? 'Your first debit has arrived. Thank\u00a0you!'
    : `You have given ${formatCents(mark as Cents)}. Thank\u00a0you!`;

/**
 * Returns the words of a mark reached since the last visit from this browser, once; undefined else, and on a browser that
 * has not seen the supporter before. Takes what has arrived to date, undefined while it is not known.
 */
export function useMoment(given: Cents | undefined): string | undefined {
  const [words, setWords] = useState<string>();
  useEffect(() => {
    if (given === undefined) return;
    const seen = readStored('seenMark');
    const mark = markReached(given);
    store('seenMark', String(mark));
    if (seen !== undefined && mark > Number(seen)) setWords(wordsOf(mark));
  }, [given]);
  return words;
}
