import type { Page } from '@playwright/test';
import { expect, signIn, test } from './as-supporter.ts';
import { ops } from './ops.ts';
import { aSupporter } from './supporter.ts';

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const chain = (page: Page) => page.getByRole('dialog', { name: 'Every cent' });

/** Opens a line of the history and reads it. */
async function open(page: Page, line: string): Promise<string[]> {
  await row(page, line).getByRole('button').click();
  await expect(chain(page).getByText('At your bank')).toBeVisible();
  const steps = await chain(page).getByRole('listitem').allTextContents();
  await chain(page).getByRole('button', { name: 'Close' }).click();
  await expect(chain(page)).toBeHidden();
  return steps;
}

test('every line of the history explains its outcome, and a refund takes its spare change off', async ({ page }) => {
  const supporter = await aSupporter({ crn: '12345690' });
  const of = ['--supporter', supporter.email];
  await ops('sandbox', 'purchase', ...of, '--amount', '4.35', '--description', 'KIOSK ONE');
  await ops('sandbox', 'purchase', ...of, '--amount', '12.00', '--description', 'KIOSK TWO');
  const { transactionId } = await ops<{ transactionId: string }>(
    ...['sandbox', 'purchase', ...of, '--amount', '7.20', '--description', 'KIOSK THREE'],
  );
  await ops('sync', ...of);
  await ops('sandbox', 'refund', ...of, '--transaction', transactionId);
  await ops('sync', ...of);
  await signIn(page, supporter);
  await page.goto('/history');
  expect(await open(page, 'KIOSK ONE')).toEqual([
    expect.stringMatching(/^At your bank\$4\.35KIOSK ONE/),
    'Rounded up$0.65$4.35 to the nearest $1 gives $0.65.',
  ]);
  await expect(row(page, 'KIOSK TWO')).toHaveCount(0); // it has not counted
  await page.getByLabel("Show purchases that didn't count").check();
  expect((await open(page, 'KIOSK TWO'))[1]).toContain('an exact amount');
  const [refund, purchase] = [row(page, 'KIOSK THREE').filter({ hasText: '-$7.20' }), row(page, 'Refunded')];
  await expect(refund).toContainText('-$0.80');
  await expect(purchase).toContainText('$0.80');
  await refund.getByRole('button').click();
  await expect(chain(page).getByText('It pays back your purchase of')).toBeVisible();
  await page.keyboard.press('Escape');
  await purchase.getByRole('button').click();
  await expect(chain(page).getByText('It was paid back on')).toBeVisible();
});

test('a weekly limit shows its use beside its past effect', async ({ page }) => {
  const supporter = await aSupporter({ crn: '12345691' });
  await ops('sync', '--supporter', supporter.email);
  await signIn(page, supporter);
  await page.getByRole('switch', { name: 'Weekly Limit Off' }).click();
  await expect(page.getByRole('meter', { name: 'Weekly limit' })).toBeVisible();
  await expect(page.getByText(/^\$\d+\.\d\d used, \$\d+\.\d\d left$/)).toBeVisible();
  await expect(page.getByText(/^Resets Mon \d+ [A-Z][a-z]{2}$/)).toBeVisible();
  const reckoned = page.getByText(
    /Based on (your last \d+ (weeks|days)|last week)|No limit: every round-up counts|You usually give/,
  );
  // Early in a week there is nothing yet to reckon from.
  const tooEarly = page.getByText("In a week you'll see");
  await expect(reckoned.or(tooEarly).first()).toBeVisible();
  if ((await tooEarly.count()) === 0) await expect(reckoned).toHaveCount(2);
});
