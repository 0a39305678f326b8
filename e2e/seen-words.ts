/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';

/**
 * Returns every text of the page that is readable as a unit: that of each visible element and text node, with spaces as
 * shown, and the placeholders of fields.
 */
function readPage(): string[] {
  const seen = new Set<string>();
  const normal = (text: string) => text.replace(/\s+/g, ' ').trim();
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    const { width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1 || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) {
      continue;
    }
    // A whole page is no text to look for, and working out its shown words takes long.
    // biome-ignore lint/performance/useDomNodeTextContent: the words as they are shown, line breaks and capitals included
    if ((element.textContent ?? '').length < 500) seen.add(normal(element.innerText ?? ''));
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) seen.add(normal(node.textContent ?? ''));
    }
    if (element instanceof HTMLInputElement) seen.add(element.placeholder);
  }
  return [...seen];
}

/** Waits until the page shows each text exactly, as the whole text of an element. */
export async function expectWords(page: Page, words: readonly (string | RegExp)[]): Promise<void> {
  const missing = async () => {
    const seen = await page.evaluate(readPage);
    return words.filter((word) => !seen.some((text) => (typeof word === 'string' ? text === word : word.test(text))));
  };
  await expect.poll(missing, { message: 'words that are missing', intervals: [50, 100, 200, 400] }).toEqual([]);
}
