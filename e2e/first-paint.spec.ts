/// <reference lib="dom" />
import { brotliCompressSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { desktop, phone } from './accessible.ts';
import { expect, test } from './as-supporter.ts';
import { shifts, watchShifts } from './shifts.ts';
import { product, tenantHome, tenantSettings } from './supporter.ts';

const kB = 1000;
const report = (bytes: number) =>
  test.info().annotations.push({ type: 'weight', description: `${(bytes / kB).toFixed(1)} kB brotli` });

/** Keeps the size, as it travels with brotli, of every script that a page asks for. */
function weigh(page: Page) {
  const sizes = new Map<string, Promise<number>>();
  page.on('response', (answer) => {
    if (answer.request().resourceType() !== 'script') return;
    const size = answer.body().then((body) => brotliCompressSync(body).length);
    sizes.set(new URL(answer.url()).pathname, size);
  });
  return async (paths: string[]) => {
    const all = await Promise.all(paths.map((path) => sizes.get(path) ?? 0));
    return all.reduce((sum, size) => sum + size, 0);
  };
}

/**
 * Opens a page; answers with the paths of the scripts that were asked for, finished or not, before the element stood on
 * it: for the login screen the first field, which can be typed into from then on.
 */
async function scriptsBefore(page: Page, element: string, path: string): Promise<string[]> {
  await page.addInitScript((selector) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(selector)) return;
      observer.disconnect();
      Object.assign(window, { standsAt: performance.now() });
    }).observe(document, { childList: true, subtree: true });
  }, element);
  await page.goto(path, { waitUntil: 'networkidle' });
  return page.evaluate<string[]>(
    `performance.getEntriesByType('resource').filter(({ name, startTime }) => name.endsWith('.js') && startTime <= standsAt).map(({ name }) => new URL(name).pathname)`,
  );
}

test('the login screen can be typed into after at most 120 kB of JavaScript', async ({ page }) => {
  const weight = weigh(page);
  const bytes = await weight(await scriptsBefore(page, 'input', '/'));
  await page.getByLabel('Email').fill('somebody@example.com');
  report(bytes);
  expect(bytes).toBeGreaterThan(20 * kB); // something was weighed
  expect(bytes).toBeLessThanOrEqual(120 * kB);
});

test('the dashboard brings less than 100 kB of its own beyond the login screen', async ({ member, page }) => {
  const ofLogin = new Set(await scriptsBefore(page, 'input', '/'));
  const weight = weigh(member);
  await member.addInitScript('window.requestIdleCallback = () => 0'); // what waits for an idle moment is not counted
  const ofDashboard = await scriptsBefore(member, 'main h1', '/dashboard');
  const bytes = await weight(ofDashboard.filter((path) => !ofLogin.has(path)));
  report(bytes);
  expect(bytes).toBeGreaterThan(20 * kB);
  expect(bytes).toBeLessThan(100 * kB);
});

test('the screens that come next are fetched when the browser is idle, and only then', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/', { waitUntil: 'networkidle' });
  for (const screen of ['dashboard', 'clubs']) {
    await expect.poll(() => asked.some((path) => path.startsWith(`/assets/${screen}-`))).toBe(true);
  }
  expect(asked.filter((path) => /^\/assets\/(history|linked-accounts|finished)-/.test(path))).toEqual([]);
  const before = await scriptsBefore(page, 'input', '/');
  expect(before.filter((path) => /\/(dashboard|clubs)-/.test(path))).toEqual([]);
  await page.goto('/clubs', { waitUntil: 'networkidle' });
  await expect.poll(() => asked.some((path) => path.startsWith('/assets/register-'))).toBe(true);
});

for (const key of ['harbour-hounds', 'night-kitchen', 'aca']) {
  test(`the colours, name and logo of ${key} are there before any script runs`, async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const { name, theme, logoURL } = tenantSettings(key);
    await page.goto(`${tenantHome(key)}/`);
    expect(await page.title()).toBe(name);
    const html = await page.content();
    for (const colour of Object.values(theme)) expect(html).toContain(colour);
    expect(html).toContain(`rel="preload" as="image" href="${logoURL}"`);
    await context.close();
  });

  test(`nothing but the brand of ${key} is ever painted`, async ({ page }) => {
    await page.addInitScript(() => {
      const seen: string[] = [];
      Object.assign(window, { seenBrands: seen });
      const look = () => {
        const panel = document.querySelector('section');
        if (panel) seen.push(getComputedStyle(panel).backgroundColor);
        requestAnimationFrame(look);
      };
      look();
    });
    await page.goto(`${tenantHome(key)}/`);
    await page.getByLabel('Email').waitFor();
    const seen = await page.evaluate<string[]>('window.seenBrands');
    const [red, green, blue] = [1, 3, 5].map((at) =>
      Number.parseInt(tenantSettings(key).theme.background.slice(at, at + 2), 16),
    );
    expect(new Set(seen)).toEqual(new Set([`rgb(${red}, ${green}, ${blue})`]));
  });
}

for (const [name, size] of Object.entries({ phone, desktop })) {
  test(`nothing moves while a page loads and the server takes its time, on a ${name}`, async ({ member, page }) => {
    const openAll = async (on: Page, paths: string[]) => {
      await on.setViewportSize(size);
      for (const path of paths) {
        await on.goto(`${product()}${path}`, { waitUntil: 'networkidle' });
        expect(await shifts(on), path).toBe(0);
      }
    };
    for (const slow of [page, member]) {
      await watchShifts(slow);
      await slow.route('**/api/**', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        await route.continue();
      });
    }
    await openAll(page, ['/clubs']);
    await page.getByRole('list', { name: 'Clubs' }).getByRole('button').first().click(); // now one is chosen
    const email = 'mira%40example.com';
    await Promise.all([
      openAll(page, ['/', '/register2', '/verify', `/extend-consent/${email}`, '/debit-mails/token', '/no/such/page']),
      openAll(member, [
        '/dashboard',
        '/linked-accounts',
        '/history',
        '/roundup-accounts',
        '/launch-consent',
        '/finished',
        '/support',
        '/terms#your-data',
      ]),
    ]);
  });
}
