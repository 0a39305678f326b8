import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';

/** Prints a page as the browser does, and returns how many pages of paper it takes and the words on them. */
export async function printed(page: Page): Promise<{ pages: number; text: string }> {
  const pdf = await page.pdf({ preferCSSPageSize: true });
  const { totalPages, text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
  return { pages: totalPages, text };
}
