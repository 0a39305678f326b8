import { test } from '@playwright/test';
import { walkMainPath } from './main-path.ts';
import { ops } from './ops.ts';

test('a new supporter goes from /clubs to a cleared debit', async ({ page }) => {
  // UPDATE_README=1 renews the picture in the README; otherwise a test run leaves the checkout as it was.
  await walkMainPath(page, ops, process.env.UPDATE_README ? 'docs/dashboard.png' : 'test-results/dashboard.png');
});
