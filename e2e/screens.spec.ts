import { expect } from '@playwright/test';
import { desktop, expectAccessible, phone } from './accessible.ts';
import { shifts, watchShifts } from './layout-shift.ts';
import { brokenWords } from './line-breaks.ts';
import { expectWords } from './seen-words.ts';
import { withKeptPages } from './shared-pages.ts';
import { allStates } from './states/all.ts';
import { leave, open } from './states/state.ts';

const test = withKeptPages(watchShifts, { viewport: desktop, reducedMotion: 'reduce' });
test.use({ trace: 'off' }); // many short tests: what failed is in their names

/** Failed loads, also opened on a phone, where more of a page is below the failed part. */
const failing = [
  'clubs: list failed',
  'confirmed: error',
  'dashboard: load failed',
  'dashboard: savings failed',
  'dashboard: user failed',
  'email actions: link cannot be read',
  'expired consent: failed',
  'extend consent: failed',
  'history: load failed',
  'linked accounts: load failed',
  'linked accounts: savings failed',
  'renewal: look again',
  'your data: load failed',
  'your data: signed out',
];

// Every state of every screen: the specification's words to the letter, no layout shift while it loads or fails to, and
// axe at two widths in four themes.
for (const { screen, name, state, words } of allStates) {
  test(`${screen}: ${name}`, async ({ ready, pages }) => {
    const page = pages[state.as];
    for (const size of failing.includes(`${screen}: ${name}`) ? [phone, desktop] : [desktop]) {
      await leave(page);
      if (state.as === 'visitor') await page.context().setStorageState({ cookies: [], origins: [] });
      await page.setViewportSize(size);
      await open(state, page, ready);
      await expectWords(page, words);
      expect(await shifts(page), `moved by itself, ${size.width} px wide`).toBe(0);
    }
    expect(await brokenWords(page), 'words broken within').toEqual([]);
    if (name === 'form')
      await expect(page.locator('[aria-invalid="true"]'), 'nothing is wrong before it is filled in').toHaveCount(0);
    await expectAccessible(page);
  });
}
