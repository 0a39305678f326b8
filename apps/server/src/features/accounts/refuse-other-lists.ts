import { InvalidInput, NotAllowed } from '#errors.ts';

/** A list has to name each of the caller's accounts once: somebody else's id is refused like one that does not exist. */
export function refuseOtherLists(own: string[], named: string[]): void {
  const known = new Set(own);
  if (named.some((name) => !known.has(name))) throw new NotAllowed();
  if (named.length !== known.size || new Set(named).size !== known.size) {
    throw new InvalidInput('Every account must be named exactly once.');
  }
}
