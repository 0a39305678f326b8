import { expect, test } from '@playwright/test';
import { walkMainPath } from './main-path.ts';
import { aProduct, stopProduct } from './product.ts';

test('a new supporter goes from /clubs to a cleared debit', async ({ browser }) => {
  const { home, program, ops } = await aProduct();
  const context = await browser.newContext({ baseURL: home });
  // UPDATE_README=1 renews the picture in the README; otherwise a test run leaves the checkout unchanged.
  const picture = process.env.UPDATE_README ? 'docs/dashboard.png' : 'test-results/dashboard.png';
  await walkMainPath(await context.newPage(), ops, picture);
  await context.close();
  expect(await stopProduct(program)).toBe(0);
});
