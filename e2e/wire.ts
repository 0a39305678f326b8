import type { Page } from '@playwright/test';

/** The bytes that travelled to a page, with headers, as Chromium counts them. */
export interface Wire {
  /** Asked for since the watching began, finished or not. */
  requests(): number;
  bytes(): number;
  bytesOf(paths: string[]): number;
}

/** Counts what a page loads from now on; what comes out of the browser's own cache weighs nothing. */
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
