import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
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
}

/** Pages that a stranger sees, with and without a club. */
const openPages = ['/', '/clubs', '/wattle-creek-fc', '/terms'];

/** Weighs a new product's screens by the bytes Chromium received, and scores the open ones with Lighthouse. */
export async function measureWeb() {
  execFileSync(process.execPath, [prepare, '--build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { place, home, program } = await aProduct();
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const weight: WebWeight = { ...(await weighLogin(browser, home)), ...(await weighDashboard(browser, home)) };
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
