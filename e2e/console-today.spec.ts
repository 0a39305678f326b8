import { type Browser, expect, type Page } from '@playwright/test';
import type { Role } from '@sparechange/contract/console';
import { expectAccessible } from './accessible.ts';
import { confirmsByPasskey, heading, sectionOf, signInAs } from './console-sign-in.ts';
import { test } from './isolated-product.ts';
import { ops } from './ops.ts';

test.use({ product: 'today' }); // in which nothing waits for a decision

/** Somebody in their own browser, on the first page. */
async function somebody(browser: Browser, role: Role): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await signInAs(page, role);
  await expect(heading(page, 'Today')).toBeVisible();
  await confirmsByPasskey(page);
  return page;
}

const summary = 'Debits of Sparechange (default) are resumed';

test('events elsewhere appear on Today without a reload, and a second person agrees there', async ({ browser }) => {
  const owner = await somebody(browser, 'owner');
  const finance = await somebody(browser, 'finance');
  const viewer = await somebody(browser, 'viewer');
  for (const page of [owner, viewer])
    await expect(page.getByText('Approvals are off: one person decides alone.')).toBeVisible();
  await expect(owner.getByRole('link', { name: 'Turn them on' })).toBeVisible();
  await expect(viewer.getByRole('link', { name: 'Turn them on' })).toBeHidden();
  await ops('approvals', 'people', '2'); // from here on also an invitation of an owner waits
  await expect(owner.getByText('Nothing needs a decision now.')).toBeVisible();
  await expect(owner.getByText('Approvals are off: one person decides alone.')).toBeHidden();
  await expectAccessible(owner);
  await owner.setViewportSize({ width: 1280, height: 860 });

  await ops('debit-run', 'suspend', '--tenant', 'default', '--because', 'a complaint');
  for (const page of [owner, finance, viewer])
    await expect(page.getByText('Nobody of Sparechange (default) has been debited')).toBeVisible();
  await ops('debit-run', 'resume', '--tenant', 'default');
  for (const page of [owner, finance]) await expect(page.getByText(summary)).toBeVisible();
  await expect(viewer.getByText('1 request for others to agree to or refuse.')).toBeVisible();
  await expect(viewer.getByText(summary)).toBeHidden();
  await expectAccessible(owner);
  await owner.setViewportSize({ width: 1280, height: 860 });

  await owner.getByRole('button', { name: `Agree: ${summary}` }).click();
  const dialog = owner.getByRole('dialog', { name: `Agree: ${summary}` });
  await expect(dialog.getByText('Takes effect when you agree.')).toBeVisible();
  await expect(dialog.getByText('a complaint')).toBeVisible(); // what is carried out, line by line
  await expectAccessible(owner);
  await owner.setViewportSize({ width: 1280, height: 860 });
  await dialog.getByRole('button', { name: 'Agree' }).click();
  await expect(dialog).toBeHidden();
  for (const page of [owner, finance]) {
    await expect(sectionOf(page, 'Decided or lapsed lately').getByText('decided by Pat owner')).toBeVisible();
    await expect(sectionOf(page, 'Needs a decision').getByText('Nothing needs a decision now.')).toBeVisible();
    await expect(page.getByText('Nobody of Sparechange (default) has been debited')).toBeHidden();
  }
  expect(await ops('status')).toMatchObject({ suspendedTenants: [] });

  await owner.getByRole('link', { name: 'Audit log' }).click();
  await expect(owner.getByRole('row').filter({ hasText: 'A second person agreed' })).toContainText('Pat owner');

  const second = await finance.context().newPage();
  await second.goto('/console/today');
  await second.getByRole('button', { name: 'Sign out', exact: true }).click();
  await finance.bringToFront();
  await expect(heading(finance, 'Sign in')).toBeVisible();
  for (const page of [owner, finance, viewer]) await page.context().close();
});

test('the navigation is worked on a phone and by keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signInAs(page, 'owner');
  await expect(heading(page, 'Today')).toBeVisible();
  await page.getByRole('button', { name: 'Menu' }).focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await expect(menu.getByRole('list', { name: 'Money' }).getByRole('link', { name: 'Today' })).toBeVisible();
  await menu.getByRole('list', { name: 'Platform' }).getByRole('link', { name: 'Audit log' }).focus();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Audit log')).toBeVisible();
  await expect(menu).toBeHidden();
});
