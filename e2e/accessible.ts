/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import { type ColourScheme, tenantColours } from '@sparechange/domain/tenant-colours';
import type axe from 'axe-core';
import { statePictures } from './pictures.ts';
import { tenantSettings } from './supporter.ts';

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1280, height: 860 };
export const smallest = { width: 320, height: 640 };

/** Pale, dark and warm palettes besides the default one. */
const themes = ['default', 'ended', 'night-kitchen', 'coral-coast-rangers'];

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Loads axe into the page and its frames that may run scripts, until the document is left. */
async function bringAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    const isStill = await frame.evaluate(
      () => frameElement?.getAttribute('sandbox')?.includes('allow-scripts') === false,
    );
    if (!isStill) await frame.evaluate(axeSource);
  }
}

const options: axe.RunOptions = {
  resultTypes: ['violations'],
  preload: false, // otherwise it refetches every style sheet, only for the rules about media
};
const everything: axe.RunOptions = {
  ...options,
  // Both are off in axe by default: one is of WCAG 2.2, the other is called experimental.
  rules: { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } },
};
/** Axe's colour rules, the only ones that differ between palettes. */
const colours: axe.RunOptions = {
  ...options,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

interface Palette {
  name: string;
  /** Colours that replace the page's. */
  colours: Record<string, string>;
}

/** The console has its own palette; the supporters' app is checked in several tenants'. */
const palettesOf = (page: Page, scheme: ColourScheme): Palette[] =>
  new URL(page.url()).pathname.startsWith('/console')
    ? [{ name: 'the console', colours: {} }]
    : themes.map((name) => ({ name, colours: tenantColours(tenantSettings(name), scheme) }));

/**
 * Returns axe's violations at the present width, palette by palette: of all rules in the first by day, of colour rules
 * in the others. Of an open modal alone, as nothing behind it can be reached, and the page is checked without it.
 */
const violations = (page: Page, scheme: ColourScheme): Promise<string[]> =>
  page.evaluate(
    async (all) => {
      const found: string[] = [];
      for (const { name: palette, colours, asked } of all) {
        for (const [name, colour] of Object.entries(colours)) document.documentElement.style.setProperty(name, colour);
        // Colours change in the next frame at the earliest, and those of buttons gradually.
        await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
        const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
        await Promise.allSettled(transitions.map(({ finished }) => finished));
        const modal = [...document.querySelectorAll('dialog[open]')].at(-1);
        const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(modal ?? document, asked);
        for (const { id, nodes } of violations) {
          for (const { html, any } of nodes)
            found.push(`in the colours of ${palette}: ${id}: ${html} ${any[0]?.message}`);
        }
      }
      return found;
    },
    palettesOf(page, scheme).map((palette, place) => ({
      ...palette,
      asked: place === 0 && scheme === 'light' ? everything : colours,
    })),
  );

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Expects no axe violations on desktop and phone, in any palette, by day and by night, and no overflow at 320 px. Takes
 * pictures if asked for.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' }); // or a new page is checked while blank
  await statePictures(page, [phone, desktop]);
  await bringAxe(page);
  await page.setViewportSize(smallest);
  expect(await isTooWide(page), 'px too wide at 320 px').toBe(0);
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' })); // or the header covers content
    expect(await violations(page, 'light'), `${size.width} px wide`).toEqual([]);
  }
  await page.setViewportSize(phone);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, 'dark'), 'at night').toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}
