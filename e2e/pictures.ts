/// <reference lib="dom" />
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, CDPSession, Page } from '@playwright/test';

/** Where pictures are written; a test that nobody asked for them takes none. */
const folder = process.env.PICTURES;
/** Sessions that stay: the end of one would take the page's authenticator with it. */
const sessions = new WeakMap<Page, CDPSession>();

/** Lets pages wait for the font, which they leave out where it comes late. */
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
  await page.waitForTimeout(400); // charts and live figures are drawn anew
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 78 });
  await page.setViewportSize(size);
  await writeFile(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
}
