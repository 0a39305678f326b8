/// <reference lib="dom" />
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './as-supporter.ts';
import { product } from './supporter.ts';

test.use({ serviceWorkers: 'allow' });

/** Opens the dashboard until the service worker has its files and is in charge. */
async function openWithWorker(page: Page, home = product()): Promise<void> {
  await page.goto(`${home}/dashboard`, { waitUntil: 'networkidle' });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.reload({ waitUntil: 'networkidle' });
}

const keptPaths = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return kept.flat().map(({ url }) => new URL(url).pathname);
  });

test('the app can be installed: its manifest and icons are there', async ({ member }) => {
  await member.goto('/dashboard');
  const session = await member.context().newCDPSession(member);
  const { errors, url } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(new URL(url).pathname).toBe('/manifest.webmanifest');
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
});

test('the service worker is asked for anew each time, runs under the strict policy, and nothing of it is refused', async ({
  member,
}) => {
  const refused: string[] = [];
  member.on('console', (message) => {
    if (/content security policy|trusted ?type/i.test(message.text())) refused.push(message.text());
  });
  await openWithWorker(member);
  const headers = (await member.request.get('/sw.js')).headers();
  expect(headers['cache-control']).toBe('no-cache');
  expect(headers['content-type']).toMatch(/^(text|application)\/javascript/);
  expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
  expect(refused).toEqual([]);
});

test('without a network the dashboard shows its last figures, with their time, and nothing can be changed', async ({
  member,
}) => {
  await openWithWorker(member);
  await expect(member.getByRole('radio', { name: '$1' })).toBeChecked();
  await member.context().setOffline(true);
  await member.reload();
  await expect(member.getByText('Donated This Year')).toBeVisible();
  await expect(member.getByText(/You see what was loaded on \w+,? \d+ \w+ \d{4}/)).toBeVisible();
  await expect(member.getByText('Failed to find Clubs')).toBeHidden();
  await expect(member.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await member.getByRole('radio', { name: '$5' }).click();
  await expect(member.getByText(/Your change was not saved/)).toBeVisible();
  await expect(member.getByRole('radio', { name: '$1' })).toBeChecked();
  await expectAccessible(member);
  await member.context().setOffline(false);
  await expect(member.getByText(/You are offline/)).toBeHidden();
});

test('sign-in, the ways back from a bank and mailed links are never answered without the network', async ({
  member,
}) => {
  await openWithWorker(member);
  await member.context().setOffline(true);
  for (const path of [
    '/',
    '/login',
    '/verify',
    '/consented',
    '/confirmed',
    '/__/auth/action',
    '/skip-debit/x',
    '/finished',
  ])
    await expect(member.goto(path), path).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  await member.context().setOffline(false);
});

test('nothing of a supporter is kept by the service worker, and figures are gone after signing out', async ({
  browser,
  ready,
}) => {
  const context = await browser.newContext({ baseURL: product() });
  const page = await context.newPage();
  await signIn(page, ready);
  await openWithWorker(page);
  for (const path of await keptPaths(page)) expect(path).toMatch(/^\/(assets\/|tenants\/logos\/|dashboard$)/);
  const kept = () => page.evaluate(() => localStorage.getItem('lastFigures'));
  expect(await kept()).toContain(ready.cdrid);
  await page.goto('/logout');
  await page.getByLabel('Email').waitFor();
  expect(await kept()).toBeNull();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(ready.cdrid);
  await context.setOffline(true);
  await page.goto('/dashboard');
  await expect(page.getByText('Donated This Year')).toBeHidden();
  await context.close();
});

test('without a network a supporter can log out, and leaves nothing behind', async ({ browser, ready }) => {
  const context = await browser.newContext({ baseURL: product() });
  const page = await context.newPage();
  await signIn(page, ready);
  await openWithWorker(page);
  await context.setOffline(true);
  await page.reload();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Logout' }).click();
  await page.getByLabel('Email').waitFor();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['host']);
  await page.goto('/dashboard');
  await page.getByLabel('Email').waitFor();
  await context.close();
});

/** Passes everything on to the product; once `isNext`, its service worker is that of another version. */
async function startUpdatedProduct() {
  const updated = { isNext: false };
  const { port } = new URL(product());
  const server = createServer(async (incoming, outgoing) => {
    if (updated.isNext && incoming.url === '/sw.js') {
      const script = await (await fetch(`${product()}/sw.js`)).text();
      outgoing.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-cache' });
      return outgoing.end(script.replace(/const version = '[^']*'/, "const version = 'next'"));
    }
    const { method = 'GET', url = '/', headers } = incoming;
    const passed = request({ host: 'localhost', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    return incoming.pipe(passed);
  });
  await once(server.listen(0), 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { updated, home: `http://localhost:${(server.address() as AddressInfo).port}`, close };
}

test('a new version is offered and replaces nothing before it is asked to', async ({ page, ready }) => {
  const { updated, home, close } = await startUpdatedProduct();
  try {
    await signIn(page, ready, home);
    await openWithWorker(page, home);
    updated.isNext = true;
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await expect(page.getByText('A new version is ready.')).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate(() => caches.keys())).toHaveLength(2);
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Use it' }).click()]);
    await expect(page.getByText('Donated This Year')).toBeVisible();
    await expect(page.getByText('A new version is ready.')).toBeHidden();
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual(['app next']);
  } finally {
    close();
  }
});
