import type { BrowserContext, BrowserContextOptions } from '@playwright/test';
import { desktop, expectAccessible } from './accessible.ts';
import { test as asSupporter } from './as-supporter.ts';
import { expectWords } from './seen-words.ts';
import { allStates } from './states/all.ts';
import { product } from './supporter.ts';

const look = (): BrowserContextOptions => ({ baseURL: product(), viewport: desktop, reducedMotion: 'reduce' });

/** What members see changes nothing that the browser keeps, so all of it is seen in one that has signed in once. */
const test = asSupporter.extend<object, { members: BrowserContext }>({
  members: [
    async ({ browser, kept }, use) => {
      const context = await browser.newContext({ ...look(), storageState: kept });
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
});
test.use({ trace: 'off' }); // many short tests: what failed is in their names

// Every state of every screen: the specification's words to the letter, and axe at two widths in four themes.
for (const { screen, name, state, words } of allStates) {
  test(`${screen}: ${name}`, async ({ browser, ready, members }) => {
    const isMember = state.as === 'member';
    const context = isMember ? members : await browser.newContext(look());
    const page = await context.newPage();
    await state.open(page, ready);
    await expectWords(page, words);
    await expectAccessible(page);
    await (isMember ? page : context).close();
  });
}
