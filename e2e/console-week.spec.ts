import { expect } from '@playwright/test';
import * as week from './console-week.ts';
import * as weekEnd from './console-week-end.ts';
import { test } from './isolated-product.ts';
import { ops } from './ops.ts';

test.use({ product: 'week' }); // whose figures are of this week alone
test.setTimeout(1_800_000); // the longest journey: half an hour ends one that hangs, also on a busy machine

const steps = { ...week, ...weekEnd };
const inOrder = [
  'confirmUnusualRun',
  'readReturnedDebit',
  'refund',
  'answerTreasurer',
  'correctBankDetails',
  'addClub',
  'openBrand',
  'closeMonth',
] as const;

test('a working week is done in the console alone', async ({ browser, ownerLink }) => {
  const people = await test.step('beginWeek', () => week.beginWeek(browser, ownerLink));
  for (const step of inOrder) await test.step(step, () => steps[step](people));
  expect(await ops('audit')).toMatchObject({ violations: [] });
  for (const page of [people.owner, people.finance, people.support, people.viewer, people.treasurer])
    await page.context().close();
});
