/// <reference lib="dom" />
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type BrowserContext,
  type CDPSession,
  type Page,
  type TestInfo,
  test,
  type ViewportSize,
} from '@playwright/test';

/** The folder for pictures; unset, tests take none. */
const folder = process.env.PICTURES;
/** Sessions are kept: ending one also removes the page's authenticator. */
const sessions = new WeakMap<Page, CDPSession>();

/** Makes pages wait for the font, which they otherwise skip when it is late. */
export async function waitsForFont(context: BrowserContext): Promise<void> {
  if (!folder) return;
  await context.route('**/*.css', async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replace('font-display:optional', 'font-display:block'),
    });
  });
}

/** Takes a small picture of a page, or of a higher one as much as a reader looks at. */
export async function picture(page: Page, name: string, tallest = 1_000): Promise<void> {
  if (!folder) return;
  const size = page.viewportSize() ?? { width: 1280, height: 860 };
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  const content = await page.evaluate(() => document.documentElement.scrollHeight);
  const isCovered = await page.getByRole('dialog').first().isVisible();
  const height = isCovered ? size.height : Math.max(Math.min(content, tallest), size.height);
  await page.setViewportSize({ ...size, height });
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(400); // charts and live figures are redrawn
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 78 });
  await page.setViewportSize(size);
  await writeFile(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
}

/** Pictures taken in a test so far. */
const taken = new WeakMap<TestInfo, number>();

/** Takes pictures of a test's present state at several sizes, named by the test's title and a number. */
export async function statePictures(page: Page, sizes: ViewportSize[]): Promise<void> {
  if (!folder) return;
  const info = test.info();
  const number = (taken.get(info) ?? 0) + 1;
  taken.set(info, number);
  const title = info.title.replaceAll(/[^a-zA-Z0-9]+/g, '-').slice(0, 60);
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.waitForTimeout(150); // charts are redrawn
    await wholePicture(page, join(folder, `${title}-${String(number).padStart(2, '0')}-${size.width}.png`));
  }
}

/** Takes a picture of a whole page. Behind a modal the scroll position stays. */
export async function wholePicture(page: Page, path: string): Promise<void> {
  const fullPage = !(await page.getByRole('dialog').first().isVisible());
  if (fullPage) await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await page.screenshot({ path, fullPage, animations: 'disabled' });
}
