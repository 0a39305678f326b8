/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { phone } from './accessible.ts';
import { expect, test } from './as-supporter.ts';
import { holds } from './mock-api.ts';
import { press } from './states/state.ts';
import { tenantHome } from './supporter.ts';

test.beforeEach(async ({ page, member }) => {
  await page.setViewportSize(phone);
  await member.setViewportSize(phone);
});

/** Expects words in the first screen of a phone, without a scroll. */
const expectInFirstScreen = (page: Page, words: string | RegExp) =>
  expect(page.getByText(words).first()).toBeInViewport({ ratio: 1 });

test('an address without a club says so above the page, and leads to all clubs', async ({ page }) => {
  await page.goto('/no-such-club');
  await expectInFirstScreen(page, 'Failed to find Clubs. Please try again.');
  await expect(page.getByRole('link', { name: 'Start rounding up' })).toHaveAttribute('href', '/clubs');
});

for (const forcedColors of ['none', 'active'] as const)
  test(`a shadow at the clubs' edge says that more follow, with forced colours ${forcedColors}`, async ({ page }) => {
    await page.emulateMedia({ forcedColors });
    await page.goto('/clubs');
    const clubs = page.getByRole('list', { name: 'Clubs' });
    await expect(clubs.getByRole('button', { name: /^\W*Y/ })).toBeAttached(); // all of them have loaded
    const all = await clubs.evaluate((list) => ({ shown: list.clientHeight, whole: list.scrollHeight }));
    expect(all.whole).toBeGreaterThan(all.shown);
    /** The look of a place without a word, at the lower edge. */
    const edge = async () => {
      const { x = 0, y = 0, height = 0 } = (await clubs.boundingBox()) ?? {};
      return (await page.screenshot({ clip: { x: x + 12, y: y + height - 2, width: 1, height: 1 } })).toString('hex');
    };
    const followed = await edge();
    await clubs.evaluate((list) => list.scrollTo(0, list.scrollHeight));
    const last = await edge();
    expect(last).not.toBe(followed);
    await page.getByLabel('Search').fill('bowls');
    await expect(clubs.getByRole('button')).toHaveCount(1);
    expect(await edge()).toBe(last);
  });

for (const [tenant, path] of [
  ['ended', '/'],
  ['default', '/winter-appeal'],
] as const)
  test(`an ended campaign says so above ${path} of ${tenant}, and Login takes the place of Start`, async ({ page }) => {
    await page.goto(tenant === 'default' ? path : `${tenantHome(tenant)}${path}`);
    await expectInFirstScreen(page, /^This campaign has ended/);
    await expect(page.getByRole('link', { name: 'Login' }).first()).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('link', { name: 'Start rounding up' })).toHaveCount(0);
  });

test('paused round-ups say what waits, and offer no step to round up to', async ({ member }) => {
  await holds({ isUserPausedRoundUp: true, nextDebit: null, waitsForResumeCents: 85 })(member);
  await member.goto('/dashboard');
  await expectInFirstScreen(member, '$0.85 waits until you resume.');
  await expect(member.getByRole('radiogroup', { name: 'Round-Up to the nearest...' })).toHaveCount(0);
  await expect(member.getByRole('radio', { name: '$1', exact: true })).toHaveCount(0);
});

test('without a bank, a donation offers Connect and cannot be sent', async ({ member }) => {
  await holds({ isConsent: false })(member);
  await member.goto('/dashboard');
  await press('Cancel')(member);
  await press('Donate Now')(member);
  const dialog = member.getByRole('dialog', { name: 'One-Off Donation' });
  await expectInFirstScreen(member, 'No bank is connected yet.');
  await expect(dialog.getByRole('link', { name: 'Connect' })).toBeInViewport({ ratio: 1 });
  for (const name of ['$20', 'Submit']) await expect(dialog.getByRole('button', { name })).toBeDisabled();
});

test('the offline bar names a time only where figures of that time are shown, and nothing offers to retry', async ({
  browser,
  kept,
}) => {
  const context = await browser.newContext({ storageState: kept, viewport: phone, serviceWorkers: 'allow' });
  const member = await context.newPage();
  await member.goto('/dashboard', { waitUntil: 'networkidle' });
  await member.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await member.reload({ waitUntil: 'networkidle' });
  await context.setOffline(true);
  await member.reload();
  await expectInFirstScreen(member, /You see what was loaded on \w+,? \d+ \w+ \d{4}/);
  await member.evaluate("localStorage.removeItem('lastFigures')");
  await member.reload();
  await expectInFirstScreen(member, "You are offline. Changes can't be saved.");
  await expectInFirstScreen(member, 'This is not available offline.');
  await expect(member.getByText(/what was loaded/)).toHaveCount(0);
  await expect(member.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await context.close();
});

test('Finish leads to the missing step, never by way of Welcome', async ({ member }) => {
  await holds({ onboardingComplete: false })(member);
  await member.goto('/dashboard');
  await member.evaluate(`
    window.headings = [];
    new MutationObserver(() => headings.push(document.querySelector('h1')?.textContent ?? ''))
      .observe(document.body, { childList: true, subtree: true })`);
  await press('Finish')(member);
  await expectInFirstScreen(member, 'Thankyou');
  expect(await member.evaluate('headings')).not.toContain('Welcome');
});
