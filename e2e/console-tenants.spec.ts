import { expect, test } from '@playwright/test';
import { desktop, expectAccessible, phone } from './accessible.ts';
import { heading, signInAs } from './console-sign-in.ts';
import { ops } from './ops.ts';

test('an owner makes a brand, sees it before it is saved, opens it at its own address and puts the first version back', async ({
  page,
  browser,
  baseURL,
}) => {
  const key = `journey-${Date.now()}`;
  await signInAs(page, 'owner');
  await page.setViewportSize(desktop);
  await page.goto('/console/tenants');
  await expect(page.getByRole('row').filter({ hasText: 'Bush Football League' })).toContainText('Live');
  await expectAccessible(page);
  await page.setViewportSize(desktop);

  await page.getByRole('link', { name: 'Redirects' }).click();
  await expect(heading(page, 'Redirects')).toBeVisible();
  const target = page.getByRole('combobox', { name: 'continues at' }).first();
  await expect(target).toBeVisible();
  await page.setViewportSize(phone);
  const [chosen, remove] = await Promise.all(
    [target, page.getByRole('button', { name: /^Remove/ }).first()].map((part) => part.boundingBox()),
  );
  if (!chosen || !remove) throw new Error('A redirect is not shown.');
  expect(chosen.x + chosen.width).toBeLessThanOrEqual(remove.x);
  expect(remove.x + remove.width).toBeLessThanOrEqual(phone.width);
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'Tenants' }).first().click();

  await page.getByRole('button', { name: 'New brand' }).click();
  const dialog = page.getByRole('dialog', { name: 'New brand' });
  await dialog.getByRole('button', { name: 'Edit it' }).click();
  await expect(dialog.getByText('Please enter a name')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dialog.getByLabel('Name').fill('Journey Rowers');
  await expect(dialog.getByLabel('First part of its address')).toHaveValue('journey-rowers');
  await dialog.getByLabel('First part of its address').fill(key);
  await dialog.getByLabel('Begin with the look of').selectOption('bush-league');
  await dialog.getByRole('button', { name: 'Edit it' }).click();
  await expect(heading(page, 'Journey Rowers')).toBeVisible();

  const save = page.getByRole('button', { name: 'Save', exact: true });
  await page.getByLabel('Brand', { exact: true }).fill('#787878');
  await expect(
    page.getByText('Text on background is hard to read: its contrast is 4.42, at least 4.5 is needed'),
  ).toBeVisible();
  await expect(save).toBeDisabled();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await page.getByLabel('Brand', { exact: true }).fill('#ffd54f');
  await page.getByLabel('Tagline').fill('Every stroke counts');
  const club = page.getByLabel('One club (optional)');
  await club.fill('coastal surf council');
  await page.getByLabel('Tagline').focus();
  await expect(club).toHaveValue('Coastal Surf Council');
  await expect(page.getByText('Checking...')).toBeHidden();
  await club.fill('');
  const logo = (inside: string) => ({
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 40">${inside}</svg>`),
  });
  const file = page.getByLabel('File of Wide logo');
  await file.setInputFiles(logo('<script>alert(1)</script>'));
  await expect(page.getByText('This file cannot be used: <script> is not allowed.')).toBeVisible();
  await file.setInputFiles(logo('<rect width="200" height="40" fill="#12402c"/>'));
  await expect(page.getByLabel('Wide logo', { exact: true })).toHaveValue(/^\/tenants\/logos\/journey-.*\.svg$/);
  for (const screen of ['Desktop', 'Phone']) {
    const preview = page.frameLocator(`iframe[title="${screen}"]`);
    await expect(preview.getByRole('heading', { name: 'Every stroke counts' })).toBeVisible();
    await expect(preview.getByLabel('Password')).toHaveCount(0);
  }
  await page.getByLabel('Colours', { exact: true }).selectOption('dark');
  await expect(page.frameLocator('iframe[title="Phone"]').getByRole('heading', { level: 1 })).toBeVisible();

  await save.dblclick(); // the second press falls beside the dialog, which stays
  const question = page.getByRole('dialog', { name: 'Open this brand?' });
  await question.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Version 1', { exact: true })).toBeVisible();
  expect(await ops('tenants', 'export', key)).toMatchObject({
    name: 'Journey Rowers',
    theme: { background: '#ffd54f' },
  });

  const at = new URL(String(baseURL));
  at.hostname = `${key}.sparechange.localhost`;
  const supporter = await browser.newPage();
  const tagline = async () => {
    await supporter.goto(at.href);
    return supporter.getByRole('heading', { level: 1 }).textContent();
  };
  await expect.poll(tagline).toContain('Every stroke counts');

  await page.getByLabel('Tagline').fill('Faster together');
  await page.getByRole('link', { name: 'Mail', exact: true }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leaving.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Tagline')).toHaveValue('Faster together');
  await save.click();
  const changes = page.getByRole('dialog', { name: 'Save these changes?' });
  await expect(changes.getByRole('deletion')).toHaveText('Every stroke counts');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await changes.getByRole('button', { name: 'Save' }).click();
  await expect.poll(tagline).toContain('Faster together');

  await page.getByRole('button', { name: 'Put back version 1' }).click();
  await expect(page.getByText('Version 3', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Tagline')).toHaveValue('Every stroke counts');
  await expect.poll(tagline).toContain('Every stroke counts');
  await supporter.close();
});
