/// <reference lib="dom" />
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { tenantColours } from '@sparechange/domain/tenant-colours';
import { tenantSettings } from './supporter.ts';

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1280, height: 860 };
const smallest = { width: 320, height: 640 };

/** A pale, a dark and a warm palette besides the default one. */
const otherThemes = ['ended', 'night-kitchen', 'coral-coast-rangers'];

async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(); // in the page itself: all our frames are our own
  if (rules) axe.withRules(rules);
  else axe.options({ rules: { 'target-size': { enabled: true } } }); // of WCAG 2.2, for which axe has to be asked
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`));
}

const paint = (page: Page, colours: Record<string, string>) =>
  page.evaluate((all) => {
    for (const [name, colour] of Object.entries(all)) document.documentElement.style.setProperty(name, colour);
  }, colours);

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * axe finds nothing on a desktop nor on a phone, and no colours too close to each other in other tenants' palettes,
 * which is all that they change; nothing sticks out at 320 px.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize(smallest);
  expect(await isTooWide(page), 'px too wide at 320 px').toBe(0);
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size);
    expect(await violations(page), `${size.width} px wide`).toEqual([]);
  }
  for (const key of otherThemes) {
    await paint(page, tenantColours(tenantSettings(key)));
    for (const size of [phone, desktop]) {
      await page.setViewportSize(size);
      expect(await violations(page, ['color-contrast']), `in the colours of ${key}, ${size.width} px wide`).toEqual([]);
    }
  }
}
