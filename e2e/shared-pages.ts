import type { BrowserContextOptions, Page } from '@playwright/test';
import { test as asSupporter } from './as-supporter.ts';
import type { State } from './states/state.ts';
import { product } from './supporter.ts';

/**
 * Opens two pages shared by a worker's short tests: a member's, whose browser storage no test changes, and a visitor's,
 * whose storage is empty at first.
 */
export const withKeptPages = (prepare: (page: Page) => Promise<unknown>, look: BrowserContextOptions) =>
  asSupporter.extend<object, { pages: Record<State['as'], Page> }>({
    pages: [
      async ({ browser, kept }, use) => {
        const aPage = async (options: BrowserContextOptions) => {
          const page = await (await browser.newContext({ baseURL: product(), ...look, ...options })).newPage();
          await prepare(page);
          return page;
        };
        const pages = { member: await aPage({ storageState: kept }), visitor: await aPage({}) };
        await use(pages);
        for (const page of Object.values(pages)) await page.context().close();
      },
      { scope: 'worker' },
    ],
  });
