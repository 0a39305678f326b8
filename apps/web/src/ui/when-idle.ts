import { useEffect } from 'react';

/** Does something when the page has nothing better to do, a few seconds later at the latest; returns how to call it off. */
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

/** Returns true where every byte costs the person: they ask for less, or the network is slower than 4G. */
export function isFrugal(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return connection?.saveData === true || /^(slow-)?[23]g$/.test(connection?.effectiveType ?? '');
}

/**
 * Loads the code of a part ahead of the press that opens it, so that it opens at once and without a network; where every
 * byte costs, with the press.
 */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    if (isFrugal()) return undefined;
    // A load that fails is tried again with the press.
    return whenIdle(() => void load().catch((error: unknown) => console.error(error)));
  }, [load]);
}
