/// <reference lib="dom" />
import { readdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { desktop, phone } from './accessible.ts';
import { expect, test } from './as-supporter.ts';
import { entry } from './states/entry.ts';
import { open } from './states/state.ts';
import { product, tenantHome } from './supporter.ts';

const tenants = readdirSync('tenants')
  .filter((file) => file.endsWith('.json') && file !== 'redirects.json')
  .map((file) => file.replace('.json', ''));

/** Returns the height of each column's tallest gap, in pixels. */
const holes = (page: Page): Promise<{ left: number; right: number }> =>
  page.evaluate(() => {
    const top = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
    const end = document.querySelector('footer')?.getBoundingClientRect().top ?? 0;
    const boxes: DOMRect[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      boxes.push(...range.getClientRects());
    }
    for (const seen of document.querySelectorAll('img, input, button')) boxes.push(seen.getBoundingClientRect());
    const side = document.querySelector('#login')?.getBoundingClientRect().left ?? 0;
    const tallest = (column: DOMRect[]) => {
      let [reached, hole] = [top, 0];
      for (const box of [...column].sort((one, other) => one.top - other.top)) {
        hole = Math.max(hole, Math.min(box.top, end) - reached);
        reached = Math.max(reached, box.bottom);
      }
      return Math.round(Math.max(hole, end - reached));
    };
    return {
      left: tallest(boxes.filter((box) => box.left < side)),
      right: tallest(boxes.filter((box) => box.left >= side)),
    };
  });

test('on a desktop neither column of a brand or a club has a hole of more than 400 px', async ({ page }) => {
  await page.setViewportSize(desktop);
  const addresses = [
    ...tenants.map((key) => `${tenantHome(key)}/`),
    ...['harbour-hounds', 'boolaroo-bulls', 'wattle-creek-fc', 'no-such-club'].map((slug) => `${product()}/${slug}`),
  ];
  for (const address of addresses) {
    await page.goto(address);
    await page.getByRole('button', { name: 'Login' }).waitFor();
    const { left, right } = await holes(page);
    expect.soft(left, `left of ${address}`).toBeLessThanOrEqual(400);
    expect.soft(right, `right of ${address}`).toBeLessThanOrEqual(400);
  }
});

test('on a desktop a club’s card has its figures, its goal, Start and a code, and stays in sight; Login is a link', async ({
  page,
  ready,
}) => {
  await page.setViewportSize(desktop);
  await open(entry.landing['page of a club with a goal'], page, ready);
  const card = page.getByRole('region', { name: 'Join in' });
  for (const words of ['$12,400', '214', '$12,400 of our goal of $20,000'])
    await expect(card.getByText(words, { exact: true })).toBeInViewport({ ratio: 1 });
  await expect(card.getByRole('progressbar')).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('link', { name: 'Start rounding up' })).toHaveCount(1);
  await expect(card.getByRole('link', { name: 'Start rounding up' })).toBeInViewport({ ratio: 1 });
  const code = card.getByRole('img', { name: 'QR code of this page' });
  await expect.poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  const { left, right } = await holes(page);
  expect.soft(left).toBeLessThanOrEqual(400);
  expect.soft(right).toBeLessThanOrEqual(400);
  await page.mouse.wheel(0, 200);
  await expect.poll(() => card.evaluate((element) => element.getBoundingClientRect().top)).toBe(24);
  await page.getByRole('link', { name: 'Login' }).click();
  await expect(page.getByRole('button', { name: 'Login' })).toBeInViewport({ ratio: 1 });
});

test('on a phone the goal of a club and Start are in the first screen', async ({ page, ready }) => {
  await page.setViewportSize(phone);
  await open(entry.landing['page of a club with a goal'], page, ready);
  await expect(page.getByRole('progressbar')).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('link', { name: 'Start rounding up' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('img', { name: 'QR code of this page' })).toBeHidden();
});

/** Returns the headings with something else over the start of a line. */
const coveredHeadings = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isCovered = (heading: Element) => {
      heading.scrollIntoView({ block: 'center', behavior: 'instant' });
      const range = document.createRange();
      range.selectNodeContents(heading);
      return [...range.getClientRects()].some(({ left, top, width, height }) => {
        const found = document.elementFromPoint(left + Math.min(width / 2, 20), top + height / 2);
        return !heading.contains(found);
      });
    };
    return [...document.querySelectorAll('h1, h2, h3')].filter(isCovered).map(({ textContent }) => textContent ?? '');
  });

/** Pages of clubs with long texts, and of some that have ended or belong to no brand. */
const longPages: [tenant: string, path: string][] = [
  ['bush-league', '/wattle-creek-fc'],
  ['default', '/wattle-creek-fc'],
  ['default', '/boolaroo-bulls'],
  ['default', '/winter-appeal'],
];

for (const [tenant, path] of [...tenants.map((key): [string, string] => [key, '/']), ...longPages]) {
  test(`no heading of ${path} of ${tenant} lies under anything, on a phone and on desktops`, async ({ page }) => {
    await page.goto(tenant === 'default' ? `${product()}${path}` : `${tenantHome(tenant)}${path}`);
    await page.getByRole('heading').first().waitFor(); // an ended campaign has no button
    for (const width of [360, 960, 1024, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await coveredHeadings(page), `${width} px`).toEqual([]);
    }
  });
}

const unknown = 'Failed to find Clubs. Please try again.';

for (const [tenant, path, words] of [
  ['default', '/no-such-club', unknown],
  ['default', '/clubs/no-such-club', unknown],
  ['ended', '/', /^This campaign has ended\./],
  ['ended', '/clubs', 'This campaign has ended'],
  ['default', '/winter-appeal', 'This campaign has ended'],
] as const) {
  test(`on a phone the first screen of ${path} of ${tenant} explains the problem`, async ({ page }) => {
    await page.setViewportSize(phone);
    await page.goto(tenant === 'default' ? `${product()}${path}` : `${tenantHome(tenant)}${path}`);
    await expect(page.getByText(words).first()).toBeInViewport({ ratio: 1 });
  });
}
