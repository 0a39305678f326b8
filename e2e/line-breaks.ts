/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

/** The clubs' own texts may break at any hyphen, as their wording is not ours. */
const wordsOfClubs = readFileSync(new URL('../tenants/clubs.csv', import.meta.url), 'utf8');

/** Returns the product's hyphenated words and domains that are broken over lines. */
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
        if (/@/.test(text.slice(index).split(/\s/)[0] ?? '')) continue; // the part before an @ may have any length
        if (Math.abs(place(index) - place(index + word.length - 1)) > 8) broken.push(word);
      }
    }
    return broken;
  });
