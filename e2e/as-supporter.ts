import { type Browser, test as base, type Page } from '@playwright/test';
import { aSupporter, product, type Supporter } from './supporter.ts';

type Credentials = Pick<Supporter, 'email' | 'password'>;

/** Fills the form of the login screen, or of another one with its own button, and sends it. */
export async function logIn(page: Page, { email, password }: Credentials, button = 'Login'): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: button }).click();
}

/** Signs in by the login screen, staying on that host. */
export async function signIn(page: Page, credentials: Credentials, home = product()): Promise<void> {
  await page.goto(`${home}/`);
  await logIn(page, credentials);
  await page.waitForURL(`${home}/dashboard`);
}

/** Signs in once and returns the state for other pages. */
export async function signedInState(browser: Browser, supporter: Supporter, home = product()) {
  const context = await browser.newContext();
  await signIn(await context.newPage(), supporter, home);
  const state = await context.storageState({ indexedDB: true });
  await context.close();
  return state;
}

type Kept = Awaited<ReturnType<typeof signedInState>>;

/** One supporter who has finished everything, shared by the tests of a file, and pages on which they are signed in. */
export const test = base.extend<{ member: Page }, { ready: Supporter; kept: Kept }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures asked for from the pattern
  ready: [async ({}, use) => use(await aSupporter()), { scope: 'worker' }],
  kept: [async ({ browser, ready }, use) => use(await signedInState(browser, ready)), { scope: 'worker' }],
  member: async ({ browser, kept }, use) => {
    const context = await browser.newContext({ storageState: kept, baseURL: product() });
    await use(await context.newPage());
    await context.close();
  },
});
export { expect } from '@playwright/test';
