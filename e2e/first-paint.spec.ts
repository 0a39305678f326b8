/// <reference lib="dom" />
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { checkJob, retrieveBackdating } from '@sparechange/contract';
import { desktop, phone, smallest } from './accessible.ts';
import { expect, test } from './as-supporter.ts';
import { shifts, watchShifts } from './layout-shift.ts';
import { answers, holds } from './mock-api.ts';
import { product, tenantHome, tenantSettings } from './supporter.ts';
import { scriptsBefore, watchWire } from './wire.ts';

const kB = 1000;
const report = (bytes: number) =>
  test.info().annotations.push({ type: 'weight', description: `${(bytes / kB).toFixed(1)} kB on the wire` });

test('the login screen can be typed into after at most 85 kB of JavaScript', async ({ page }) => {
  const traffic = await watchWire(page);
  const scripts = await scriptsBefore(page, 'input', '/');
  await page.getByLabel('Email').fill('somebody@example.com');
  const bytes = traffic.bytesOf(scripts);
  report(bytes);
  expect(bytes).toBeGreaterThan(20 * kB); // something was measured
  expect(bytes).toBeLessThanOrEqual(85 * kB);
});

test('a first visit to the dashboard costs at most 180 kB and 18 requests, the club’s own mark among them', async ({
  member,
}) => {
  const traffic = await watchWire(member);
  await member.addInitScript('window.requestIdleCallback = () => 0'); // requests made when idle are not counted
  await member.goto('/dashboard');
  await member.getByRole('heading', { name: 'Donation History' }).waitFor();
  await member.waitForLoadState('networkidle');
  report(traffic.bytes());
  expect(traffic.bytes()).toBeGreaterThan(100 * kB);
  expect(traffic.bytes()).toBeLessThanOrEqual(180 * kB);
  expect(traffic.requests()).toBeLessThanOrEqual(18);
});

/** Counts the scripts that a page has requested, once two counts 1.5 seconds apart agree. */
async function scriptsAtRest(page: Page): Promise<number> {
  const count = () =>
    page.evaluate<number>(`performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length`);
  for (let previous = -1; ; ) {
    const now = await count();
    if (now === previous) return now;
    previous = now;
    await page.waitForTimeout(1_500);
  }
}

test('the next screens are fetched while the browser is idle', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect.poll(() => scriptsAtRest(page)).toBeGreaterThan(10);
  await page.evaluate('window.requestIdleCallback = () => 0'); // the screens after the next one are not fetched
  const atRest = await page.evaluate<number>('performance.now()');
  await page.getByRole('link', { name: 'Register' }).click();
  await page.getByRole('list', { name: 'Clubs' }).waitFor();
  const requestedLater = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').filter(({ name, startTime }) => name.endsWith('.js') && startTime > ${atRest}).map(({ name }) => name)`,
  );
  expect(requestedLater).toEqual([]);
});

test('with data saving on, no screen is fetched before it is opened', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  const usual = await scriptsAtRest(page);
  await page.addInitScript(`Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`);
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(await scriptsAtRest(page)).toBeLessThan(usual);
  await page.getByRole('link', { name: 'Register' }).click();
  await page.getByRole('list', { name: 'Clubs' }).waitFor();
});

for (const key of ['harbour-hounds', 'night-kitchen', 'aca']) {
  test(`the colours, name and logo of ${key} are shown before any script runs`, async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const { name, biline, theme, logoURL } = tenantSettings(key);
    await page.goto(`${tenantHome(key)}/`);
    expect(await page.title()).toBe(`${biline.primary} · ${name}`);
    await expect(page.getByRole('heading', { name: biline.primary })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Start rounding up' })).toBeVisible();
    const html = await page.content();
    for (const colour of Object.values(theme)) expect(html).toContain(colour);
    expect(html).toContain(`rel="preload" as="image" href="${logoURL}"`);
    await context.close();
  });

  test(`nothing but the brand of ${key} is ever painted`, async ({ page }) => {
    await page.addInitScript(() => {
      const coloursSeen: string[] = [];
      Object.assign(window, { seenBrands: coloursSeen });
      const sample = () => {
        const panel = document.querySelector('section');
        if (panel) coloursSeen.push(getComputedStyle(panel).backgroundColor);
        requestAnimationFrame(sample);
      };
      sample();
    });
    await page.goto(`${tenantHome(key)}/`);
    await page.getByLabel('Email').waitFor();
    const coloursSeen = await page.evaluate<string[]>('window.seenBrands');
    const [red, green, blue] = [1, 3, 5].map((at) =>
      Number.parseInt(tenantSettings(key).theme.background.slice(at, at + 2), 16),
    );
    expect(new Set(coloursSeen)).toEqual(new Set([`rgb(${red}, ${green}, ${blue})`]));
  });
}

test('the clubs to choose from are shown before any script runs, and can be pressed once scripts have run', async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${product()}/clubs`);
  const clubs = page.getByRole('list', { name: 'Clubs' }).getByRole('button');
  expect(await clubs.count()).toBeGreaterThan(10);
  await expect(clubs.first()).toBeDisabled();
  await page.goto(`${tenantHome('harbour-hounds')}/clubs`); // a brand with one club, so there is nothing to choose
  await expect(clubs).toHaveCount(0);
  await context.close();
});

for (const path of ['/terms', '/privacy', '/support'])
  test(`${path} can be read before any script runs`, async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${product()}${path}`);
    await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toBeVisible();
    await context.close();
  });

for (const [name, size] of Object.entries({ phone, desktop })) {
  test(`nothing moves while a page loads from a slow server, on a ${name}`, async ({ member, page }) => {
    const expectNoShifts = async (on: Page, paths: string[]) => {
      await on.setViewportSize(size);
      for (const path of paths) {
        await on.goto(`${product()}${path}`, { waitUntil: 'networkidle' });
        expect(await shifts(on), path).toBe(0);
      }
    };
    for (const slowed of [page, member]) {
      await watchShifts(slowed);
      await slowed.route('**/api/**', async (route) => {
        await setTimeout(300);
        await route.continue();
      });
    }
    await expectNoShifts(page, ['/clubs']);
    await page.getByRole('list', { name: 'Clubs' }).getByRole('button').first().click(); // now one is chosen
    const email = 'mira%40example.com';
    await Promise.all([
      expectNoShifts(page, [
        '/',
        '/register2',
        '/verify',
        `/extend-consent/${email}`,
        '/debit-mails/token',
        '/advice-mails/token',
        '/no/such/page',
      ]),
      expectNoShifts(member, [
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

/** Starts a proxy to the product that sends the HTML of a page in kilobytes, 50 ms apart. */
async function startSlowProxy() {
  const server = createServer(async ({ url = '/' }, response) => {
    const answer = await fetch(`${product()}${url}`);
    const type = answer.headers.get('content-type') ?? '';
    const body = Buffer.from(await answer.arrayBuffer());
    const chunkSize = type.startsWith('text/html') ? kB : body.length;
    response.writeHead(answer.status, { 'content-type': type });
    for (let at = 0; at < body.length; at += chunkSize) {
      response.write(body.subarray(at, at + chunkSize));
      await setTimeout(50);
    }
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { home: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

test('nothing moves on a desktop while a page arrives in pieces', async ({ browser }) => {
  const proxy = await startSlowProxy();
  const context = await browser.newContext({ viewport: desktop });
  const page = await context.newPage();
  await watchShifts(page);
  await page.route('**/*.js', (route) => route.abort());
  for (const path of ['/clubs', '/']) {
    await page.goto(`${proxy.home}${path}`);
    expect(await shifts(page), path).toBe(0);
  }
  await context.close();
  proxy.close();
});

test('nothing moves on the smallest phone while the bank is being asked', async ({ member }) => {
  await member.setViewportSize(smallest);
  await watchShifts(member);
  await answers(checkJob, { status: 202 }, 202)(member);
  await member.goto('/consented?jobId=a-job');
  await member.getByText('Receiving communications from your bank').waitFor();
  expect(await shifts(member), 'connecting').toBe(0);

  await holds({ onboardingComplete: false, nextDebit: null })(member);
  await member.route(`**/api${retrieveBackdating.path}`, async (route) => {
    await member.getByText('Looking at your purchases…').waitFor();
    const json = { backdating: { purchases: 32, cents: 11_690 }, firstDebitOn: '2026-11-25' };
    await route.fulfill({ json });
  });
  await member.goto('/finished');
  await member.getByText('Yes adds $116.90').waitFor();
  expect(await shifts(member), 'finished').toBe(0);
});
