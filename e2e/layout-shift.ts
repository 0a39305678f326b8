/// <reference lib="dom" />
import type { Page } from '@playwright/test';

/** Before a page is opened: sums up Chromium's layout shifts until the first touch. */
export const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    let touchedAt = Number.POSITIVE_INFINITY;
    for (const type of ['pointerdown', 'keydown', 'input']) {
      addEventListener(type, ({ timeStamp }) => (touchedAt = Math.min(touchedAt, timeStamp)), true);
    }
    const seen: (PerformanceEntry & { value: number; hadRecentInput: boolean })[] = [];
    const keep = (entries: PerformanceEntryList) => void seen.push(...(entries as typeof seen));
    const observer = new PerformanceObserver((list) => keep(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    const sum = () => {
      keep(observer.takeRecords());
      const own = seen.filter(({ startTime, hadRecentInput }) => startTime < touchedAt && !hadRecentInput);
      return own.reduce((all, { value }) => all + value, 0);
    };
    Object.assign(window, { shiftsSoFar: sum });
  });

/** Returns the sum so far, with the next paint included. */
export const shifts = (page: Page) => afterPaint<number>(page, 'shiftsSoFar()');

const afterPaint = <Value>(page: Page, asked: string) =>
  page.evaluate<Value>(
    `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(${asked})))))`,
  );

/**
 * Before a page is opened: delays answers to requests after a press until Chromium no longer attributes the layout
 * shifts they cause to the press; and records every shift.
 */
export const answersLate = (page: Page) =>
  page.addInitScript(() => {
    const forgivenMs = 500;
    let touchedAt = Number.NEGATIVE_INFINITY;
    for (const type of ['pointerdown', 'pointerup', 'keydown']) {
      addEventListener(type, () => (touchedAt = performance.now()), true);
    }
    async function late() {
      const left = touchedAt + forgivenMs + 100 - performance.now();
      if (left > 0) await new Promise((done) => setTimeout(done, left)).then(late);
    }
    const ask = window.fetch.bind(window);
    window.fetch = (...request) => ask(...request).finally(late);

    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };
    const moved: string[] = [];
    const keep = (entries: PerformanceEntryList) => {
      for (const { value, hadRecentInput, sources } of entries as Shift[]) {
        const what = sources.map(({ node }) => `${node?.nodeName} "${node?.textContent?.slice(0, 40)}"`);
        if (!hadRecentInput) moved.push(`${value.toFixed(4)}: ${what.join(', ')}`);
      }
    };
    const observer = new PerformanceObserver((list) => keep(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    const soFar = () => {
      keep(observer.takeRecords());
      return moved;
    };
    Object.assign(window, { movedSoFar: soFar });
  });

/** Returns the counted shifts so far, the next paint included. */
export const moved = (page: Page) => afterPaint<string[]>(page, 'movedSoFar()');
