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

/** Splits a name into words, without accents, titles and initials. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => !titles.has(word) && (word.length > 1 || /[^a-z]/.test(word)));

/**
 * Returns whether the holder that a bank names shares a word with somebody's name. A bank that names nobody says nothing
 * against them.
 */
export function isLikelyHolder(holder: string | undefined, name: { firstName: string; lastName: string }): boolean {
  const held = wordsOf(holder ?? '');
  if (held.length === 0) return true;
  const own = new Set(wordsOf(`${name.firstName} ${name.lastName}`));
  return held.some((word) => own.has(word));
}
