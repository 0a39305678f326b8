import { desktop, expectAccessible } from './accessible.ts';
import { test } from './as-supporter.ts';
import { expectWords } from './seen-words.ts';
import { allStates } from './states/all.ts';
import { product } from './supporter.ts';

test.use({ trace: 'off' }); // some eighty short tests: what failed is in their names

// Every state of every screen: the specification's words to the letter, and axe at two widths in four themes.
for (const { screen, name, state, words } of allStates) {
  test(`${screen}: ${name}`, async ({ browser, ready, kept }) => {
    const context = await browser.newContext({
      baseURL: product(),
      viewport: desktop,
      ...(state.as === 'member' && { storageState: kept }),
    });
    const page = await context.newPage();
    await state.open(page, ready);
    await expectWords(page, words);
    await expectAccessible(page);
    await context.close();
  });
}
