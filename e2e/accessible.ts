/// <reference lib="dom" />
import { expect, type Page } from '@playwright/test';
import { tenantColours } from '@sparechange/domain/tenant-colours';
import axe from 'axe-core';
import { tenantSettings } from './supporter.ts';

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1280, height: 860 };
const smallest = { width: 320, height: 640 };

/** A pale, a dark and a warm palette besides the default one. */
const themes = ['default', 'ended', 'night-kitchen', 'coral-coast-rangers'];

/** Puts axe into the page and its frames, which are all our own, for as long as the document stays. */
async function bringAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) await frame.evaluate(axe.source);
}

const options: axe.RunOptions = {
  resultTypes: ['violations'],
  rules: { 'target-size': { enabled: true } }, // of WCAG 2.2, for which axe has to be asked
  preload: false, // else it asks for every style sheet again, for the rules about media alone
};

async function violations(page: Page): Promise<string[]> {
  const found = await page.evaluate(async (asked) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, asked);
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, any }) => `${html} ${any[0]?.message}`),
    }));
  }, options);
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node}`));
}

const paint = (page: Page, colours: Record<string, string>) =>
  page.evaluate((all) => {
    for (const [name, colour] of Object.entries(all)) document.documentElement.style.setProperty(name, colour);
  }, colours);

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** axe finds nothing on a desktop nor on a phone, in any of four palettes; nothing sticks out at 320 px. */
export async function expectAccessible(page: Page): Promise<void> {
  await bringAxe(page);
  await page.setViewportSize(smallest);
  expect(await isTooWide(page), 'px too wide at 320 px').toBe(0);
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    for (const key of themes) {
      await paint(page, tenantColours(tenantSettings(key)));
      expect(await violations(page), `in the colours of ${key}, ${size.width} px wide`).toEqual([]);
    }
  }
}
