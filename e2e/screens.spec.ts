import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { desktop, expectAccessible } from './accessible.ts';
import { test as asSupporter, expect } from './as-supporter.ts';
import { expectWords } from './seen-words.ts';
import { shifts, watchShifts } from './shifts.ts';
import { allStates } from './states/all.ts';
import { leave, type State } from './states/state.ts';
import { product } from './supporter.ts';

async function aPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const look: BrowserContextOptions = { baseURL: product(), viewport: desktop, reducedMotion: 'reduce' };
  const page = await (await browser.newContext({ ...look, ...options })).newPage();
  await watchShifts(page);
  return page;
}

/** What members see changes nothing that the browser keeps; what visitors see begins with a browser that keeps nothing. */
const test = asSupporter.extend<object, { pages: Record<State['as'], Page> }>({
  pages: [
    async ({ browser, kept }, use) => {
      const pages = { member: await aPage(browser, { storageState: kept }), visitor: await aPage(browser) };
      await use(pages);
      for (const page of Object.values(pages)) await page.context().close();
    },
    { scope: 'worker' },
  ],
});
test.use({ trace: 'off' }); // many short tests: what failed is in their names

// Every state of every screen: the specification's words to the letter, nothing that moves while it loads or fails to,
// and axe at two widths in four themes.
for (const { screen, name, state, words } of allStates) {
  test(`${screen}: ${name}`, async ({ ready, pages }) => {
    const page = pages[state.as];
    await leave(page);
    if (state.as === 'visitor') await page.context().setStorageState({ cookies: [], origins: [] });
    await page.setViewportSize(desktop);
    await state.open(page, ready);
    await expectWords(page, words);
    expect(await shifts(page), 'moved by itself').toBe(0);
    await expectAccessible(page);
  });
}
