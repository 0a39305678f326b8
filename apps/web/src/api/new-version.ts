import { useSyncExternalStore } from 'react';

let bringIn: (() => void) | undefined;
const listeners = new Set<() => void>();

/** Offers a new version; `bringInNew` replaces the present one. */
export function offerNewVersion(bringInNew: () => void): void {
  bringIn = bringInNew;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns a function that brings in the offered version. */
export const useNewVersion = (): (() => void) | undefined =>
  useSyncExternalStore(
    subscribe,
    () => bringIn,
    () => undefined,
  );

/** Lists the files that this page started with; their names change with every version. */
export const filesOfPage = (): (string | null)[] =>
  Array.from(
    document.querySelectorAll('script[src^="/assets/"], link[rel="stylesheet"][href^="/assets/"]'),
    (tag) => tag.getAttribute('src') ?? tag.getAttribute('href'),
  );

/** Offers to reload this page if the server's pages now use other files. */
export async function offerIfOutdated(): Promise<void> {
  const page = await fetch('/dashboard', { cache: 'no-store', credentials: 'omit' });
  const html = page.ok ? await page.text() : undefined;
  if (html && filesOfPage().some((file) => !html.includes(`"${file}"`))) offerNewVersion(() => location.reload());
}
