/// <reference lib="dom" />
import { expect } from '@playwright/test';
import { desktop, phone, smallest } from './accessible.ts';
import { expectWords } from './seen-words.ts';
import { withKeptPages } from './shared-pages.ts';
import { allStates } from './states/all.ts';
import { leave, open } from './states/state.ts';
import { product } from './supporter.ts';

const test = withKeptPages(() => Promise.resolve(), { viewport: phone, reducedMotion: 'reduce' });

/** Returns the texts touched by their card's rings. */
const touched = (): string[] =>
  [...document.querySelectorAll('svg[viewBox="0 0 400 400"]')].flatMap((rings) => {
    const box = rings.getBoundingClientRect();
    const [x, y, radius] = [box.left + box.width * 0.575, box.top + box.height * 0.575, box.width * 0.4075];
    const texts = document.createTreeWalker(rings.parentElement ?? rings, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const touches = ({ left, right, top, bottom }: DOMRect) =>
        Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)) < radius;
      if ([...range.getClientRects()].some(touches)) found.push(texts.currentNode.textContent ?? '');
    }
    return found;
  });

const withRings = allStates.filter(({ screen, name }) =>
  [
    'dashboard: on',
    'dashboard: load failed',
    'dashboard: user failed',
    'finished: question',
    'finished: first time',
    'history: table',
    'history: empty',
    'history: load failed',
  ].includes(`${screen}: ${name}`),
);

for (const { screen, name, state, words } of withRings) {
  test(`${screen}: ${name}: on a phone rings touch no text`, async ({ ready, pages }) => {
    const page = pages[state.as];
    for (const size of [phone, smallest]) {
      await leave(page);
      await page.setViewportSize(size);
      await open(state, page, ready);
      await expectWords(page, words);
      expect(await page.evaluate(touched), `${size.width} px wide`).toEqual([]);
    }
  });
}

test('rings touch no text of a landing page', async ({ pages: { visitor } }) => {
  for (const size of [desktop, phone, smallest]) {
    await visitor.setViewportSize(size);
    await visitor.goto(`${product()}/`);
    await visitor.getByRole('button', { name: 'Login' }).waitFor();
    expect(await visitor.evaluate(touched), `${size.width} px wide`).toEqual([]);
  }
});
