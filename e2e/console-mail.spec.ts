import { expect, test } from '@playwright/test';
import { desktop, expectAccessible } from './accessible.ts';
import { heading, signInAs } from './console-sign-in.ts';
import { mailsTo } from './mails.ts';
import { aSupporter } from './supporter.ts';

test('support finds a mail, reads it without its links, and sends it again', async ({ page }) => {
  const { email } = await aSupporter();
  const welcomes = async () => (await mailsTo(email)).filter(({ text }) => text.includes('confirm-email')).length;
  await expect.poll(welcomes).toBe(1);
  await signInAs(page, 'support');
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'Mail', exact: true }).click();
  await expect(heading(page, 'Mail')).toBeVisible();
  await expect(page.getByText('Waiting', { exact: true }).first()).toBeVisible();
  await page.getByLabel('Search').fill(email);
  await expect(page).toHaveURL(/address=/);
  await page.getByLabel('Kind').selectOption('Welcome');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('cell', { name: 'Sent' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);

  await page.getByRole('button', { name: 'Welcome' }).click();
  const dialog = page.getByRole('dialog', { name: 'Welcome' });
  await expect(dialog.getByText('[link]').first()).toBeVisible();
  await expect(dialog.getByText(/https?:/)).toBeHidden();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByRole('row')).toHaveCount(3);
  await expect.poll(welcomes).toBe(2);

  await page.getByLabel('Status').selectOption('Bounced');
  await expect(page.getByText('No mail matches this filter.')).toBeVisible();
  await expectAccessible(page);
});
