const everyMs = 60_000;
const maxKinds = 100;

/**
 * Makes a gate for log lines that may come many times a second: the first of a kind is written, then one a minute. `write`
 * gets the number of lines left out since the last one.
 */
export function limitRepeatedLines(now: () => number = Date.now) {
  const kinds = new Map<string, { writtenAt: number; leftOut: number }>();
  return (kind: string, write: (leftOut: number) => void): void => {
    const known = kinds.get(kind);
    if (known && now() - known.writtenAt < everyMs) {
      known.leftOut += 1;
      return;
    }
    if (!known && kinds.size >= maxKinds) kinds.clear();
    kinds.set(kind, { writtenAt: now(), leftOut: 0 });
    write(known?.leftOut ?? 0);
  };
}
