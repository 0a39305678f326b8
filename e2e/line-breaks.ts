/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

/** What clubs say of themselves may break at any hyphen, as nobody here chose its words. */
const wordsOfClubs = readFileSync(new URL('../tenants/clubs.csv', import.meta.url), 'utf8');

/** Returns the product's hyphenated words and domains of addresses that a line ends within. */
export async function brokenWords(page: Page): Promise<string[]> {
  const broken = await wordsAcrossLines(page);
  return broken.filter((word) => !wordsOfClubs.includes(word));
}

const wordsAcrossLines = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const words = /[a-z]+-[a-z]+|(?<=@)[a-z-]+\.[a-z.]+[a-z]/gi;
    const broken: string[] = [];
    for (const paragraph of document.querySelectorAll('p')) {
      const texts: { node: Node; start: number }[] = [];
      let text = '';
      const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        texts.push({ node, start: text.length });
        text += node.textContent;
      }
      const place = (offset: number) => {
        const found = texts.findLast(({ start }) => start <= offset) ?? { node: paragraph, start: 0 };
        const range = document.createRange();
        range.setStart(found.node, offset - found.start);
        range.setEnd(found.node, offset - found.start + 1);
        return range.getBoundingClientRect().bottom;
      };
      for (const { 0: word, index } of text.matchAll(words)) {
        if (/@/.test(text.slice(index).split(/\s/)[0] ?? '')) continue; // what is before an @ may be as long as it likes
        if (Math.abs(place(index) - place(index + word.length - 1)) > 8) broken.push(word);
      }
    }
    return broken;
  });
