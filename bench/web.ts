import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { addAuthenticator, openLink } from '../e2e/console-sign-in.ts';
import { aProduct, stopProduct } from '../e2e/product.ts';
import { scriptsBefore, watchWire } from '../e2e/wire.ts';
import { findBrowser } from '../scripts/browser.ts';
import { measureLighthouse } from './lighthouse.ts';
import { rounded } from './stopwatch.ts';

const kB = 1000;
const prepare = fileURLToPath(new URL('../scripts/prepare.mjs', import.meta.url));
/** Sign-in of a new product's seeded supporter. */
const demo = { email: 'demo@sparechange.example', password: 'spare-change-demo' };

export interface WebWeight {
  /** JavaScript sent before the login screen accepts typing. */
  loginKb: number;
  loginScripts: number;
  /** Everything of a first visit to the dashboard. */
  dashboardKb: number;
  dashboardRequests: number;
  /** JavaScript sent before an owner sees Today, signed in, in a browser that has nothing else of the console. */
  consoleKb: number;
  consoleScripts: number;
}

/** Pages that a stranger sees, with and without a club. */
const openPages = ['/', '/clubs', '/wattle-creek-fc', '/terms'];

/** Weighs a new product's screens by the bytes Chromium received, and scores the open ones with Lighthouse. */
export async function measureWeb() {
  execFileSync(process.execPath, [prepare, '--build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { place, home, program } = await aProduct();
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const weight: WebWeight = {
      ...(await weighLogin(browser, home)),
      ...(await weighDashboard(browser, home)),
      ...(await weighConsole(browser, home, ownersLink(program.said()))),
    };
    return { ...weight, lighthouse: await measureLighthouse(home, openPages) };
  } finally {
    await browser.close();
    await stopProduct(program);
    await rm(place.dataDir, { recursive: true, force: true });
  }
}

async function weighLogin(browser: Browser, home: string) {
  const page = await browser.newPage();
  const wire = await watchWire(page);
  const scripts = await scriptsBefore(page, 'input', `${home}/`);
  return { loginKb: rounded(wire.bytesOf(scripts) / kB, 1), loginScripts: scripts.length };
}

/** The visit is of a browser that knows who is signed in and has nothing else of the product. */
async function weighDashboard(browser: Browser, home: string) {
  const context = await browser.newContext();
  await signIn(await context.newPage(), home);
  const fresh = await browser.newContext({ storageState: await context.storageState({ indexedDB: true }) });
  const page = await fresh.newPage();
  await page.addInitScript('window.requestIdleCallback = () => 0'); // what waits for an idle moment is not counted
  const wire = await watchWire(page);
  await page.goto(`${home}/dashboard`);
  await page.getByRole('heading', { name: 'Donation History' }).waitFor();
  await page.waitForLoadState('networkidle');
  return { dashboardKb: rounded(wire.bytes() / kB, 1), dashboardRequests: wire.requests() };
}

async function signIn(page: Page, home: string): Promise<void> {
  await page.goto(`${home}/`);
  await page.getByLabel('Email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('heading', { name: 'Donation History' }).waitFor();
}

/** Reads the link that a new product prints for the first owner of its console. */
function ownersLink(said: string): string {
  const link = /https?:\/\/\S*\/console\/link#\S+/.exec(said)?.[0];
  if (!link) throw new Error('The product has printed no link to its console.');
  return link;
}

async function weighConsole(browser: Browser, home: string, link: string) {
  const context = await browser.newContext();
  const first = await context.newPage();
  await addAuthenticator(first);
  await openLink(first, link);
  await first.getByRole('button', { name: 'Add a passkey' }).click();
  await first.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
  const page = await (await browser.newContext({ storageState: await context.storageState() })).newPage();
  await page.addInitScript('window.requestIdleCallback = () => 0'); // what waits for an idle moment is not counted
  const wire = await watchWire(page);
  await page.goto(`${home}/console`);
  await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
  const scripts = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map(({ name }) => new URL(name).pathname)`,
  );
  return { consoleKb: rounded(wire.bytesOf(scripts) / kB, 1), consoleScripts: scripts.length };
}
