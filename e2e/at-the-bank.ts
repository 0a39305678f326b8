import { expect, type Page } from '@playwright/test';

/** Goes through the sandbox's bank with a CRN and back. */
export async function authoriseAtBank(page: Page, crn: string): Promise<void> {
  await page.getByRole('button', { name: 'Hooli' }).click();
  await page.getByLabel('Internet Banking CRN').fill(crn);
  await page.getByRole('button', { name: 'Continue' }).click();
  const code = /\b(\d{6})\b/.exec((await page.getByRole('main').textContent()) ?? '')?.[1] ?? '';
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Authorise' }).click();
  await expect(page).toHaveURL(/\/(consented|roundup-accounts)/);
}

export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });

/** Reads the storage of the browser under the specified keys. */
export const stored = (page: Page): Promise<Record<string, string>> =>
  page.evaluate('({ ...localStorage })') as Promise<Record<string, string>>;
