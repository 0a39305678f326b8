import { folded } from './folded.ts';

const titles = new Set([
  'mr',
  'mrs',
  'ms',
  'miss',
  'mx',
  'dr',
  'prof',
  'sir',
  'and',
  'the',
  'pty',
  'ltd',
  'trust',
  'for',
]);

const withoutMarks = (name: string): string => name.normalize('NFKD').replace(/[^\p{L}\p{M}]+/gu, ' ');

/** Splits a folded name at non-letters, titles left out. */
const wordsOf = (name: string): string[] =>
  folded(name)
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== '' && !titles.has(word));

const isInitial = (word: string): boolean => /^[a-z]$/.test(word);

/** Least letters of several words that count as one; fewer, such as of "de la", come together by chance. */
const leastJoined = 4;

/** Returns runs of words as one word each: banks write Smithjones, O Brien and Mc Donald. */
const joinedOf = (words: readonly string[]): string[] =>
  words
    .flatMap((_, from) => words.slice(from + 1).map((_, more) => words.slice(from, from + more + 2)))
    .filter((run) => !run.every(isInitial))
    .map((run) => run.join(''))
    .filter((word) => word.length >= leastJoined);

/** Returns the words of a name without initials, O'Brien as one and as two, each run of them also as one word. */
function partsOf(name: string): string[] {
  const [whole, apart] = [wordsOf(name), wordsOf(withoutMarks(name))];
  return [...[...whole, ...apart].filter((word) => !isInitial(word)), ...joinedOf(whole), ...joinedOf(apart)];
}

/**
 * Returns whether the holder that a bank names shares a word with somebody's name, folded, with gaps or without. A bank that
 * names nobody says nothing against them.
 */
export function isLikelyHolder(holder: string | undefined, name: { firstName: string; lastName: string }): boolean {
  const held = partsOf(holder ?? '');
  if (held.length === 0) return true;
  const own = new Set(partsOf(`${name.firstName} ${name.lastName}`));
  return held.some((word) => own.has(word));
}
