import { expect, type Locator, type Page, test } from '@playwright/test';
import { desktop, expectAccessible } from './accessible.ts';
import { heading, signInAs } from './console-sign-in.ts';

const low = { width: 1280, height: 720 };

const scrolledTo = (page: Page) => page.evaluate('Math.round(scrollY)');

/** Returns the texts of links partly outside the window. */
const cutLinks = (links: Locator): Promise<string[]> =>
  links.evaluateAll((all) =>
    all
      .filter((link) => {
        const { top, bottom } = link.getBoundingClientRect();
        const { bottom: end } = link.closest('nav')?.getBoundingClientRect() ?? { bottom: 0 };
        return top < 0 || bottom > Math.min(innerHeight, end);
      })
      .map((link) => link.textContent),
  );

test('every page of an owner is in sight in the navigation of a low screen', async ({ page }) => {
  await signInAs(page, 'owner');
  await page.setViewportSize(low);
  await expect(heading(page, 'Today')).toBeVisible();
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  await expect(links.last()).toHaveText('Your sign-in');
  expect(await cutLinks(links)).toEqual([]);
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('link', { name: 'Bank files' })).toHaveCount(0);
  await expectAccessible(page);
  await page.setViewportSize({ ...low, height: 480 });
  await expect(links.first()).toBeInViewport();
  expect((await cutLinks(links)).length).toBeGreaterThan(0); // which the shade at the edge says
});

test('a page that a row opens begins at its top, and going back finds the list where it was', async ({ page }) => {
  await signInAs(page, 'support');
  await page.setViewportSize(low);
  await page.goto('/console/clubs');
  const row = page.getByRole('row').filter({ hasText: 'Wattle Creek' });
  await row.scrollIntoViewIfNeeded();
  const before = await scrolledTo(page);
  expect(before).toBeGreaterThan(300);
  await row.getByRole('cell').last().click(); // anywhere in it
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Wattle Creek');
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  expect(await scrolledTo(page)).toBe(0);
  await page.goBack();
  await expect(row).toBeInViewport();
  expect(await scrolledTo(page)).toBe(before);
});

test('Back asks before edits of a brand, or typed values of a dialog, are lost', async ({ page }) => {
  await signInAs(page, 'owner');
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'Tenants' }).click();
  await page.getByRole('link', { name: 'Bush Football League' }).click();
  const tagline = page.getByLabel('Tagline');
  await tagline.fill('Every kick counts');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.goBack();
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(tagline).toHaveValue('Every kick counts');
  await expect(page).toHaveURL(/\/tenants\/bush-league$/);
  await page.goBack();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(heading(page, 'Tenants')).toBeVisible();
  await expect(question).toBeHidden();

  await page.getByRole('link', { name: 'Clubs' }).click();
  await page.getByRole('link', { name: 'Wattle Creek', exact: false }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Suburb').fill('Wattle Flat');
  await page.goBack();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Suburb')).toHaveValue('Wattle Flat');
  await page.goBack();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(heading(page, 'Clubs')).toBeVisible();
});

test('one box opens a club by its name and an act with its dialog, by keyboard alone', async ({ page }) => {
  await signInAs(page, 'owner');
  await page.setViewportSize(low);
  await expect(heading(page, 'Today')).toBeVisible();
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Find anything' });
  await expect(box).toBeFocused();
  await expectAccessible(page);
  await box.fill('wattle');
  await expect(page.getByRole('option', { name: /Wattle Creek/ })).toHaveAttribute('aria-selected', 'true');
  await box.press('Enter');
  await expect(heading(page, 'Wattle Creek Football Club')).toBeVisible();
  await page.keyboard.press('Control+k');
  await box.fill('invite');
  await expect(page.getByRole('option')).toHaveText(['Invite a person']);
  await box.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Invite somebody' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/people$/);
  await expect(page.getByRole('dialog')).toBeHidden(); // keys wait for it
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('a row of a list is reached and opened by keys', async ({ page }) => {
  await signInAs(page, 'support');
  await page.goto('/console/clubs');
  await expect(page.getByRole('row').nth(2)).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeFocused();
  await page.getByRole('searchbox', { name: 'Search' }).blur();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const second = page.getByRole('row').nth(2).getByRole('link');
  await expect(second).toBeFocused();
  const name = (await second.textContent()) ?? '';
  await page.keyboard.press('Enter');
  await expect(heading(page, name)).toBeVisible();
});
