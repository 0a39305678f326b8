import { setPaused } from '@sparechange/contract';
import { expect, test } from './as-supporter.ts';
import { refuses } from './mock-api.ts';

test.beforeEach(async ({ member }) => {
  await member.goto('/dashboard');
  await expect(member.getByRole('switch', { name: /^Round-Ups/ })).toBeVisible();
});

test('pausing asks first; Cancel changes nothing, Confirm pauses, switching on resumes immediately', async ({
  member,
}) => {
  const on = member.getByRole('switch', { name: 'Round-Ups On' });
  const paused = member.getByRole('switch', { name: 'Round-Ups Paused' });
  await on.click();
  await member.getByRole('dialog', { name: 'Pause Round-Ups' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(on).toBeChecked();
  await on.click();
  await member.getByRole('button', { name: 'Confirm' }).click();
  await expect(paused).not.toBeChecked();
  await expect(member.getByText('Round-Up to the nearest...')).toBeHidden();
  await member.reload();
  await paused.click();
  await expect(on).toBeChecked();
});

test('a pause that cannot be saved says so and stays on', async ({ member }) => {
  await refuses(setPaused)(member);
  await member.getByRole('switch', { name: 'Round-Ups On' }).click();
  await member.getByRole('button', { name: 'Confirm' }).click();
  await expect(member.getByText('Something went wrong, please try again')).toBeVisible();
  await expect(member.getByRole('switch', { name: 'Round-Ups On' })).toBeChecked();
});

test('the round-up amount is kept', async ({ member }) => {
  for (const amount of ['$5', '$2']) {
    const saved = member.waitForResponse(/set-roundup-amount$/);
    await member.getByRole('radio', { name: amount, exact: true }).click();
    expect((await saved).ok()).toBe(true);
  }
  await member.reload();
  await expect(member.getByRole('radio', { name: '$2', exact: true })).toBeChecked();
});

test('the weekly limit starts at $10.00, is changed, and is turned off with 0', async ({ member }) => {
  const sent: unknown[] = [];
  member.on('request', (request) => request.url().endsWith('/set-weekly-limit') && sent.push(request.postDataJSON()));
  await member.getByRole('switch', { name: 'Weekly Limit Off' }).click();
  await expect(member.getByRole('radio', { name: '$10.00' })).toBeChecked();
  await member.getByRole('radio', { name: '$12.50' }).click();
  await expect.poll(() => sent).toHaveLength(2);
  await member.reload();
  await expect(member.getByRole('radio', { name: '$12.50' })).toBeChecked();
  await member.getByRole('switch', { name: 'Weekly Limit On' }).click();
  await expect(member.getByRole('switch', { name: 'Weekly Limit Off' })).not.toBeChecked();
  expect(sent).toMatchObject([{ weeklyMaximumLimit: 1000 }, { weeklyMaximumLimit: 1250 }, { weeklyMaximumLimit: 0 }]);
});

test('a one-off donation: its rules, a thank-you that closes after 4 seconds', async ({ member }) => {
  await member.getByRole('button', { name: 'Donate Now' }).click();
  const amount = member.getByLabel('Amount');
  const submit = member.getByRole('button', { name: 'Submit' });
  await expect(amount).toHaveValue('0');
  await submit.click();
  await expect(member.getByText('Amount is required')).toBeVisible();
  await amount.fill('250.01');
  await expect(member.getByText('Amount must be $250 or less')).toBeVisible();
  await amount.fill('2.50');
  await submit.click();
  const thanks = member.getByRole('dialog', { name: 'Thank You!' });
  await expect(thanks).toBeVisible();
  const since = Date.now();
  await expect(thanks).toBeHidden();
  expect(Date.now() - since).toBeGreaterThan(3_000);
  expect(Date.now() - since).toBeLessThan(8_000);
});

test('somebody who is not signed in is led to the login screen', async ({ page }) => {
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});
