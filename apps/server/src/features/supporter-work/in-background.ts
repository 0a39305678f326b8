/** Runs work beside the caller, never twice at once. */
export function inBackground(work: () => Promise<void>, onFault: (error: unknown) => void) {
  const current = new Set<Promise<void>>();
  return {
    start: () => {
      if (current.size > 0) return;
      const started: Promise<void> = work()
        .catch(onFault)
        .finally(() => current.delete(started));
      current.add(started);
    },
    running: () => [...current],
  };
}
