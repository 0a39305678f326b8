/// <reference lib="dom" />
import type { Disposable, Page } from '@playwright/test';
import type { words } from '../specified-copy.ts';
import type { Supporter } from '../supporter.ts';

/** A screen's state, its viewer, and the way to it. */
export interface State {
  as: 'visitor' | 'member';
  open(page: Page, member: Supporter): Promise<unknown>;
}

type Screens = typeof words;
/** A way to every state of these screens' words table. */
export type States<Screen extends keyof Screens> = { [S in Screen]: { [K in keyof Screens[S]]: State } };

export const visitor = (open: State['open']): State => ({ as: 'visitor', open });
export const member = (open: State['open']): State => ({ as: 'member', open });

/** Fields by their labels. */
export async function fillIn(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
}
/** Presses a button; behind an open dialog there is none that could be pressed. */
export const press = (page: Page, name: string) =>
  page.locator('body:not(:has(dialog[open])), dialog[open]').getByRole('button', { name, exact: true }).click();

/** The scripts that keep a page's timers changed. */
const retimings = new WeakMap<Page, Disposable>();

/** The page's timers of these lengths last this long instead. */
async function retimed(page: Page, lengths: number[], ms: number): Promise<void> {
  const script = await page.addInitScript(
    ({ lengths, ms }) => {
      const start = window.setTimeout.bind(window);
      window.setTimeout = ((work: TimerHandler, asked?: number, ...rest: unknown[]) =>
        start(work, lengths.includes(asked ?? 0) ? ms : asked, ...rest)) as typeof window.setTimeout;
    },
    { lengths, ms },
  );
  retimings.set(page, script);
}

/**
 * Takes a page out of the state it was brought to, with everything that was prepared for it. A page that is used again
 * is there much sooner than a new one, whose process starts anew and compiles everything once more.
 */
export async function leave(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await retimings.get(page)?.dispose();
  retimings.delete(page);
  await page.goto('about:blank'); // else an address that differs in its hash alone is not loaded again
  await page.mouse.move(0, 0);
}

/** Keeps what a screen shows for seconds, to be viewed. */
export const staysShown = (page: Page) => retimed(page, [1200, 4000], 2 ** 30);

/** The bank is asked again without the 5 seconds between. */
export const waitsLittle = (page: Page) => retimed(page, [5000], 10);
