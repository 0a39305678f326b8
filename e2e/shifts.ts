/// <reference lib="dom" />
import type { Page } from '@playwright/test';

/** Before a page is opened: keeps how much things move on it until somebody touches it, as Chromium figures it. */
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

/** The sum so far, what is about to be painted included. */
export const shifts = (page: Page) =>
  page.evaluate<number>(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(shiftsSoFar())))))',
  );
