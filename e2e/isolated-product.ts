import { test as base } from '@playwright/test';
import { aProduct, stopProduct } from './product.ts';

/** A product for these tests alone, whose clock they may move: everything that speaks to the shared one speaks to it. */
export const test = base.extend<object, { home: string }>({
  home: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures asked for from the pattern
    async ({}, use) => {
      const { place, home, program } = await aProduct();
      process.env.E2E_PORT = String(place.port);
      process.env.E2E_DATA_DIR = place.dataDir;
      await use(home);
      await stopProduct(program);
    },
    { scope: 'worker', auto: true },
  ],
  baseURL: ({ home }, use) => use(home),
});
