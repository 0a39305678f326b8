import { expect, type Locator, type Page, test } from '@playwright/test';
import { heading } from './at-the-bank.ts';

/** Goes on with Tab until something has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let press = 0; press < 60; press += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target}`);
}

async function pressOn(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

async function type(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await tabTo(page, page.getByLabel(label, { exact: true }));
    await page.keyboard.type(value);
  }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('from club selection to a changed dashboard without a mouse', async ({ page }) => {
  await page.goto('/clubs');
  await tabTo(page, page.getByPlaceholder('Search for a club here...'));
  await page.keyboard.type('demo');
  await pressOn(page, page.getByRole('list', { name: 'Clubs' }).getByRole('button').first());
  await expect(heading(page, 'Register')).toBeFocused();
  await type(page, {
    'First Name': 'Kit',
    'Last Name': 'Keys',
    Email: `kit.${Date.now()}@example.com`,
    'Mobile Number': '0412345678',
    Password: 'correct horse battery',
    'Confirm Password': 'correct horse battery',
  });
  await pressOn(page, page.getByRole('checkbox', { name: 'I agree' }), 'Space');
  await pressOn(page, button(page, 'Register'));

  await expect(heading(page, 'Welcome')).toBeFocused();
  await pressOn(page, button(page, 'Continue'));
  await pressOn(page, button(page, 'Hooli'));
  await tabTo(page, page.getByLabel('Internet Banking CRN'));
  await page.keyboard.type('12345678');
  await page.keyboard.press('Enter');
  await page.getByLabel('Code').waitFor();
  const code = /\b(\d{6})\b/.exec((await page.getByRole('main').textContent()) ?? '')?.[1] ?? '';
  await tabTo(page, page.getByLabel('Code'));
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await pressOn(page, button(page, 'Authorise'));

  await expect(heading(page, 'Setting Up')).toBeVisible({ timeout: 40_000 });
  await tabTo(page, page.getByRole('checkbox').first());
  if (!(await page.getByRole('checkbox').first().isChecked())) await page.keyboard.press('Space');
  await pressOn(page, button(page, 'Next'));
  await expect(heading(page, 'Funding Account')).toBeFocused();
  const funding = page.getByRole('checkbox', { disabled: false }).first();
  await tabTo(page, funding);
  if (!(await funding.isChecked())) await page.keyboard.press('Space');
  await pressOn(page, button(page, 'CONTINUE'));
  await expect(heading(page, 'Thankyou')).toBeFocused();
  await pressOn(page, button(page, 'Yes'));

  await expect(heading(page, 'Dashboard')).toBeFocused();
  await tabTo(page, page.getByRole('radio', { name: '$1', exact: true }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: '$2', exact: true })).toBeChecked();
  await pressOn(page, page.getByRole('switch', { name: 'Weekly Limit Off' }), 'Space');
  await expect(page.getByRole('switch', { name: 'Weekly Limit On' })).toBeChecked();

  const donate = button(page, 'Donate Now');
  await pressOn(page, donate);
  await expect(page.getByRole('dialog', { name: 'One-Off Donation' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(donate).toBeFocused(); // a modal gives the focus back

  await page.keyboard.press('Shift+Tab');
  const menu = button(page, 'Menu');
  await menu.focus();
  await page.keyboard.press('Enter');
  await pressOn(page, page.getByRole('link', { name: 'Linked Accounts' }));
  await expect(heading(page, 'Linked Accounts')).toBeFocused();
});
