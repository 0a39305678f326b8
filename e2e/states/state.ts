/// <reference lib="dom" />
import type { Disposable, Page } from '@playwright/test';
import { product, type Supporter, tenantHome } from '../supporter.ts';

/** Opens a path, or does something else on the page. */
export type Step = string | ((page: Page, member: Supporter) => Promise<unknown>);

/** A screen's state: its viewer, and the steps to it. */
export interface State {
  as: 'visitor' | 'member';
  steps: Step[];
}
export type Screens = Record<string, Record<string, State>>;

export const visitor = (...steps: Step[]): State => ({ as: 'visitor', steps });
export const member = (...steps: Step[]): State => ({ as: 'member', steps });

/** Takes a page to a state. */
export async function open({ steps }: State, page: Page, supporter: Supporter): Promise<void> {
  for (const step of steps) await (typeof step === 'string' ? page.goto(step) : step(page, supporter));
}

/** Opens a path on a tenant's own host. */
export const atTenant = (key: string, path: string) => (page: Page) => page.goto(`${tenantHome(key)}${path}`);
/** Fills fields by their labels. */
export const fillIn = (fields: Record<string, string>) => async (page: Page) => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
};
/** Presses a button; with a dialog open, only its own can be pressed. */
export const press = (name: string | RegExp) => (page: Page) =>
  page.locator('body:not(:has(dialog[open])), dialog[open]').getByRole('button', { name, exact: true }).click();
export const switchOver = (name: string) => (page: Page) => page.getByRole('switch', { name, exact: true }).click();

/** Waits for a text. */
export const reads = (text: string | RegExp) => (page: Page) => page.getByText(text).waitFor();
/** Waits for an element by its role. */
export const shows = (role: Parameters<Page['getByRole']>[0], name?: string) => (page: Page) =>
  page.getByRole(role, name === undefined ? {} : { name }).waitFor();

/** The scripts that change a page's browser. */
const prepared = new WeakMap<Page, Disposable>();

/** The page's timers of these lengths last this long instead. */
const retimed = (lengths: number[], ms: number) => async (page: Page) => {
  const script = await page.addInitScript(
    ({ lengths, ms }) => {
      const start = window.setTimeout.bind(window);
      window.setTimeout = ((work: TimerHandler, asked?: number, ...rest: unknown[]) =>
        start(work, lengths.includes(asked ?? 0) ? ms : asked, ...rest)) as typeof window.setTimeout;
    },
    { lengths, ms },
  );
  prepared.set(page, script);
};

/** A newer version's service worker waits to be used. */
export const offersNewVersion = async (page: Page) => {
  const script = await page.addInitScript(() => {
    const waiting = {
      state: 'installed',
      postMessage: (_files: unknown, [port]: MessagePort[]) => port?.postMessage(false),
    };
    const registration = { waiting, addEventListener: () => undefined };
    const serviceWorker = { controller: {}, register: async () => registration, addEventListener: () => undefined };
    Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker });
  });
  prepared.set(page, script);
};

/**
 * Takes a page out of its state, with everything that was prepared for it. A reused page is ready much sooner than a
 * new one, or one that was blank: its process would start from scratch and compile everything again.
 */
export async function leave(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await prepared.get(page)?.dispose();
  prepared.delete(page);
  await page.goto(`${product()}/robots.txt`); // otherwise a URL that differs only in its hash is not reloaded
  await page.mouse.move(0, 0);
}

/** Keeps short-lived contents of a screen, to be viewed. */
export const staysShown = retimed([1200, 4000], 2 ** 30);

/** The bank is asked again without the 5 seconds between. */
export const waitsLittle = retimed([5000], 10);
