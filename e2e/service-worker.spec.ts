/// <reference lib="dom" />
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
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

test('the service worker is requested again each time and runs under the strict policy, with nothing refused', async ({
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
  const chosen = member.getByRole('radio', { name: /^\$[125]$/, checked: true });
  const step = (await chosen.getAttribute('value')) ?? ''; // another file may have changed it
  await member.context().setOffline(true);
  await member.reload();
  await expect(member.getByText('Donated This Year')).toBeVisible();
  await expect(member.getByText(/You see what was loaded on \w+,? \d+ \w+ \d{4}/)).toBeVisible();
  await expect(member.getByText('Failed to find Clubs')).toBeHidden();
  await expect(member.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await member.getByRole('radio', { name: step === '500' ? '$1' : '$5' }).click();
  await expect(member.getByText(/Your change was not saved/)).toBeVisible();
  await expect(chosen).toHaveValue(step);
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

/** Leaves a browser only the files that the worker itself requests, as if nothing else had been opened. */
async function forgetOtherFiles(page: Page): Promise<void> {
  const worker = await (await page.request.get('/sw.js')).text();
  await page.evaluate(async (worker) => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const { pathname } = new URL(request.url);
        if (pathname.startsWith('/assets/') && !worker.includes(`"${pathname}"`)) await cache.delete(request);
      }
    }
  }, worker);
  await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache');
}

test('without a network a supporter can log out, and leaves nothing behind', async ({ browser, ready }) => {
  const context = await browser.newContext({ baseURL: product() });
  const page = await context.newPage();
  await signIn(page, ready);
  await openWithWorker(page);
  await forgetOtherFiles(page);
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

/** Starts a proxy to the product, which can be down behind it or of a newer version, with another style sheet. */
async function startProxiedProduct() {
  const state = { isDown: false, hasNextWorker: false, hasNextPage: false };
  const { port } = new URL(product());
  const asNext = (source: string) =>
    source
      .replaceAll(/(\/assets\/[\w-]+)\.css/g, '$1.next.css')
      .replace(/const version = '[^']*'/, "const version = 'next'");
  const server = createServer((incoming, outgoing) => {
    if (state.isDown) return outgoing.writeHead(502, { 'content-type': 'text/html' }).end('Bad gateway');
    const { method = 'GET', url = '/', headers } = incoming;
    const isNext = url === '/sw.js' ? state.hasNextWorker : state.hasNextPage && /^\/(dashboard)?$/.test(url);
    const passed = request(
      {
        host: 'localhost',
        port,
        method,
        path: url.replace('.next.css', '.css'),
        headers: isNext ? { ...headers, 'accept-encoding': 'identity' } : headers,
      },
      async (answer) => {
        if (isNext) {
          const { 'content-length': _, ...others } = answer.headers;
          return outgoing.writeHead(answer.statusCode ?? 502, others).end(asNext(await text(answer)));
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        return answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    return incoming.pipe(passed);
  });
  await once(server.listen(0), 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { state, home: `http://localhost:${(server.address() as AddressInfo).port}`, close };
}

const lookForNewVersion = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update();
  });

const keptVersions = (page: Page) => page.evaluate(() => caches.keys());

test('a new version is offered in every older page, and replaces nothing before it is accepted', async ({
  page,
  ready,
}) => {
  const { state, home, close } = await startProxiedProduct();
  try {
    await signIn(page, ready, home);
    await openWithWorker(page, home);
    const other = await page.context().newPage();
    await other.goto(`${home}/dashboard`, { waitUntil: 'networkidle' });
    state.hasNextWorker = true;
    state.hasNextPage = true;
    await lookForNewVersion(page);
    for (const each of [page, other]) await expect(each.getByText('A new version is ready.')).toBeVisible();
    await expectAccessible(page);
    expect(await keptVersions(page)).toHaveLength(2);
    for (const each of [page, other]) {
      await Promise.all([each.waitForEvent('load'), each.getByRole('button', { name: 'Use it' }).click()]);
      await expect(each.getByText('Donated This Year')).toBeVisible();
      await expect(each.getByText('A new version is ready.')).toBeHidden();
    }
    await expect.poll(() => keptVersions(page)).toEqual(['app next']);
  } finally {
    close();
  }
});

test('a new version that matches the page takes over unasked', async ({ page, ready }) => {
  const { state, home, close } = await startProxiedProduct();
  try {
    await signIn(page, ready, home);
    await openWithWorker(page, home);
    state.hasNextWorker = true;
    state.hasNextPage = true;
    await page.reload({ waitUntil: 'networkidle' });
    await lookForNewVersion(page);
    await expect.poll(() => keptVersions(page)).toEqual(['app next']);
    await expect(page.getByText('A new version is ready.')).toBeHidden();
  } finally {
    close();
  }
});

test('a worker whose page comes from another version is not kept', async ({ page, ready }) => {
  const { state, home, close } = await startProxiedProduct();
  try {
    await signIn(page, ready, home);
    await openWithWorker(page, home);
    const before = await keptVersions(page);
    state.hasNextWorker = true;
    await lookForNewVersion(page).catch(() => undefined);
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.installing))
      .toBeNull();
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting)).toBeNull();
    await page.reload({ waitUntil: 'networkidle' });
    await expect(page.getByText('A new version is ready.')).toBeHidden();
    expect(before).toHaveLength(1);
  } finally {
    close();
  }
});

test('while a proxy answers for a server that is down, the dashboard shows its last figures and stays', async ({
  page,
  ready,
}) => {
  const { state, home, close } = await startProxiedProduct();
  try {
    await signIn(page, ready, home);
    await openWithWorker(page, home);
    state.isDown = true;
    await page.reload();
    await expect(page.getByText(/You see what was loaded on/)).toBeVisible();
    const asked = page.waitForResponse((answer) => answer.url().endsWith('/config.json') && answer.status() === 502);
    await page.evaluate(() => {
      document.title = 'not loaded anew';
      dispatchEvent(new Event('online'));
    });
    await asked;
    await page.waitForLoadState('networkidle');
    expect(await page.title()).toBe('not loaded anew');
    state.isDown = false;
    await Promise.all([page.waitForEvent('load'), page.evaluate(() => dispatchEvent(new Event('online')))]);
    await expect(page.getByText(/You are offline/)).toBeHidden();
  } finally {
    close();
  }
});
