import type { Browser, Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { desktop, phone } from './accessible.ts';
import { addAuthenticator, confirmsByPasskey, heading, mailedLink, openLink } from './console-sign-in.ts';
import { waitsForFont } from './pictures.ts';
import { product } from './supporter.ts';

/** Treasurer of the club that the demo supporter and every crowd give to. */
const treasurer = 'treasurer@sparechange.example';

/** The organisation's people and a treasurer, each with a browser of their own. */
export interface People {
  owner: Page;
  finance: Page;
  support: Page;
  viewer: Page;
  treasurer: Page;
}

async function aBrowserOf(browser: Browser, isOnPhone = false): Promise<Page> {
  const look = isOnPhone ? { viewport: phone, deviceScaleFactor: 2 } : { viewport: desktop };
  const context = await browser.newContext({ baseURL: product(), reducedMotion: 'reduce', locale: 'en-AU', ...look });
  await waitsForFont(context);
  const page = await context.newPage();
  await addAuthenticator(page);
  await confirmsByPasskey(page);
  return page;
}

/** Opens an invitation's link and adds a passkey. */
async function comesBy(page: Page, link: string): Promise<void> {
  await openLink(page, link);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(heading(page, 'Today')).toBeVisible();
}

async function invites(page: Page, name: string, email: string, role: string): Promise<void> {
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('checkbox', { name: role }).check();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(dialog).toBeHidden();
}

/** The owner comes by the link of the first start and invites the others; the treasurer asks for one. */
export async function gatherPeople(browser: Browser, ownerLink: string): Promise<People> {
  const owner = await aBrowserOf(browser);
  await comesBy(owner, ownerLink);
  await owner.getByRole('link', { name: 'People' }).click();
  const invited = async (name: string, role: string) => {
    const email = `${name.split(' ')[0]?.toLowerCase()}@sparechange.example`;
    await invites(owner, name, email, role);
    const page = await aBrowserOf(browser);
    await comesBy(page, await mailedLink(email));
    return page;
  };
  const finance = await invited('Fay Morrow', 'Finance');
  const support = await invited('Sol Tran', 'Support');
  const viewer = await invited('Vic Castle', 'Viewer');
  return { owner, finance, support, viewer, treasurer: await comesByLink(browser) };
}

/** Signs in a treasurer on a phone, who has only read access by a mailed link. */
async function comesByLink(browser: Browser): Promise<Page> {
  const page = await aBrowserOf(browser, true);
  await page.goto('/console');
  await page.getByRole('button', { name: 'Treasurer of a club?' }).click();
  await page.getByLabel('Email').fill(treasurer);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await openLink(page, await mailedLink(treasurer, 'Your sign-in link'));
  await expect(heading(page, 'Your club')).toBeVisible();
  return page;
}
