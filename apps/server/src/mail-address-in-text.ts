/**
 * Returns whether a run of characters has an @ with something on both sides. An expression that looks for both sides in a whole
 * text starts again at every character of a long one.
 */
export function holdsMailAddress(word: string): boolean {
  const at = word.indexOf('@', 1);
  return at > 0 && at < word.length - 1;
}
