import { useEffect } from 'react';

/** Runs work when the page is idle, a few seconds later at the latest; returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const asked = requestIdleCallback(work, { timeout: 5000 });
    return () => cancelIdleCallback(asked);
  }
  const timer = setTimeout(work, 2000);
  return () => clearTimeout(timer);
}

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** Returns true on costly connections: data saving is on, or the network is slower than 4G. */
export function isFrugal(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return connection?.saveData === true || /^(slow-)?[23]g$/.test(connection?.effectiveType ?? '');
}

/**
 * Loads a part's code before the press that opens it, so that it opens immediately and also offline; on slow or
 * data-saving connections, with the press.
 */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    if (isFrugal()) return undefined;
    // A load that fails is tried again with the press.
    return whenIdle(() => void load().catch((error: unknown) => console.error(error)));
  }, [load]);
}
