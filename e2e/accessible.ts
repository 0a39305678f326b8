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

/** Puts axe into the page and those of its frames that may run it, for as long as the document stays. */
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
  preload: false, // else it asks for every style sheet again, for the rules about media alone
};
const everything: axe.RunOptions = {
  ...options,
  // Axe has to be asked for the one of WCAG 2.2, and for the one that it calls experimental.
  rules: { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } },
};
/** Axe's rules about colours, all that changes between palettes. */
const colours: axe.RunOptions = {
  ...options,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

interface Palette {
  name: string;
  /** Set over those of the page. */
  colours: Record<string, string>;
}

/** The console has a palette of its own; the supporters' app is looked at in several tenants'. */
const palettesOf = (page: Page, scheme: ColourScheme): Palette[] =>
  new URL(page.url()).pathname.startsWith('/console')
    ? [{ name: 'the console', colours: {} }]
    : themes.map((name) => ({ name, colours: tenantColours(tenantSettings(name), scheme) }));

/** Returns axe's violations at the present width, palette by palette: by all rules in the first by day, else by those of colours. */
const violations = (page: Page, scheme: ColourScheme): Promise<string[]> =>
  page.evaluate(
    async (all) => {
      const found: string[] = [];
      for (const { name: palette, colours, asked } of all) {
        for (const [name, colour] of Object.entries(colours)) document.documentElement.style.setProperty(name, colour);
        // Colours change in the next frame at the earliest, and those of buttons by and by.
        await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
        const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
        await Promise.allSettled(transitions.map(({ finished }) => finished));
        const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, asked);
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

/** axe finds nothing on a desktop nor on a phone, in any palette, by day and by night; nothing sticks out at 320 px. Takes pictures where they are asked for. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' }); // else an address just opened is looked at while blank
  await statePictures(page, [phone, desktop]);
  await bringAxe(page);
  await page.setViewportSize(smallest);
  expect(await isTooWide(page), 'px too wide at 320 px').toBe(0);
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' })); // else the header covers what is under it
    expect(await violations(page, 'light'), `${size.width} px wide`).toEqual([]);
  }
  await page.setViewportSize(phone);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, 'dark'), 'at night').toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}
