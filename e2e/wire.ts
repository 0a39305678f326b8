/// <reference lib="dom" />
import type { Page } from '@playwright/test';

/** Bytes a page received, with headers, as Chromium counts them. */
export interface Wire {
  /** The number of requests since watching began, finished or not. */
  requests(): number;
  bytes(): number;
  bytesOf(paths: string[]): number;
}

/** Counts a page's loads from now on; answers from the browser's own cache count as zero bytes. */
export async function watchWire(page: Page): Promise<Wire> {
  const session = await page.context().newCDPSession(page);
  const asked = new Map<string, { path: string; bytes: number }>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith('http')) asked.set(requestId, { path: new URL(request.url).pathname, bytes: 0 });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const known = asked.get(requestId);
    if (known) known.bytes = encodedDataLength;
  });
  await session.send('Network.enable');
  const sum = (all: { bytes: number }[]) => all.reduce((total, { bytes }) => total + bytes, 0);
  return {
    requests: () => asked.size,
    bytes: () => sum([...asked.values()]),
    bytesOf: (paths) => sum([...asked.values()].filter(({ path }) => paths.includes(path))),
  };
}

/**
 * Opens a page; returns the paths of scripts requested, finished or not, before the element appeared: on the login
 * screen the first field, which can be typed into from then on.
 */
export async function scriptsBefore(page: Page, element: string, path: string): Promise<string[]> {
  await page.addInitScript((selector) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(selector)) return;
      observer.disconnect();
      Object.assign(window, { standsAt: performance.now() });
    }).observe(document, { childList: true, subtree: true });
  }, element);
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.waitForFunction(() => 'standsAt' in window); // a busy machine may draw after the network is idle
  return page.evaluate<string[]>(
    `performance.getEntriesByType('resource').filter(({ name, startTime }) => name.endsWith('.js') && startTime <= standsAt).map(({ name }) => new URL(name).pathname)`,
  );
}
