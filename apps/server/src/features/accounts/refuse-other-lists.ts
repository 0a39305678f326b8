import { invalidInput, notAllowed } from '#http/errors.ts';

/** A list has to name each of the caller's accounts once: somebody else's id is refused like one that does not exist. */
export function refuseOtherLists(own: string[], named: string[]): void {
  const known = new Set(own);
  if (named.some((name) => !known.has(name))) throw notAllowed();
  if (named.length !== known.size || new Set(named).size !== known.size) {
    throw invalidInput('Every account must be named exactly once.');
  }
}
