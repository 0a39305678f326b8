import { expect, test } from '@playwright/test';
import { heading } from './at-the-bank.ts';
import { button, pressOn, tabTo, type } from './by-keyboard.ts';

test('from the login screen through the onboarding to a changed dashboard without a mouse', async ({ page }) => {
  await page.goto('/');
  await pressOn(page, page.getByRole('link', { name: 'Register' }));
  await expect(heading(page, 'Choose an organisation to support')).toBeFocused();
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
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Amount', { exact: true }));
  await page.keyboard.type('2.50');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Thank You!' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(donate).toBeFocused();

  const on = page.getByRole('switch', { name: 'Round-Ups On' });
  await tabTo(page, on, 'Shift+Tab');
  await page.keyboard.press('Space');
  await expect(page.getByRole('dialog', { name: 'Pause Round-Ups' })).toBeVisible();
  await pressOn(page, button(page, 'Confirm'));
  const paused = page.getByRole('switch', { name: 'Round-Ups Paused' });
  await expect(paused).toBeFocused();
  await page.keyboard.press('Space');
  await expect(on).toBeChecked();

  await pressOn(page, page.getByRole('link', { name: 'View All' }));
  await expect(heading(page, 'Round-Up History')).toBeFocused();
  await tabTo(page, button(page, 'Menu'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await pressOn(page, page.getByRole('link', { name: 'Linked Accounts' }));
  await expect(heading(page, 'Linked Accounts')).toBeFocused();
  await pressOn(page, button(page, 'Change Account'));
  await expect(page.getByRole('dialog', { name: 'Savings Account' })).toBeVisible();
  await type(page, { 'Account Name': 'Kit Keys', BSB: '062001', 'Account Number': '12345678' });
  await page.keyboard.press('Enter');
  await expect(page.getByText('XXXX5678')).toBeVisible();
  await tabTo(page, button(page, 'Menu'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await pressOn(page, page.getByRole('link', { name: 'Logout' }));
  await expect(button(page, 'Login')).toBeVisible();
});

test('a dialog keeps the focus, closes for Escape and a press beside it, and gives the focus back', async ({
  page,
}) => {
  await page.goto('/');
  const opener = button(page, 'Reset it');
  const dialog = page.getByRole('dialog');
  await opener.click();
  await expect(dialog).toBeFocused();
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab');
    const isBehind = await page.evaluate(() => document.activeElement?.closest('dialog') === null);
    expect(isBehind && (await page.evaluate(() => document.activeElement !== document.body))).toBe(false);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await dialog.getByRole('heading').click();
  await expect(dialog).toBeVisible();
  await page.mouse.click(4, 4);
  await expect(dialog).toBeHidden();
});
