import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from '@playwright/test';
import { desktop, phone } from '../e2e/accessible.ts';
import { signedInState } from '../e2e/as-supporter.ts';
import { wholePicture } from '../e2e/pictures.ts';
import { aPlace, startProduct, stopProduct, untilReady } from '../e2e/product.ts';
import { expectWords } from '../e2e/seen-words.ts';
import { allStates, type KnownState } from '../e2e/states/all.ts';
import { open } from '../e2e/states/state.ts';
import { aSupporter, product, type Supporter } from '../e2e/supporter.ts';
import { findBrowser } from './browser.ts';

// Every screen in every state, from a product of its own, as pictures under screenshots/ with an index.html.
// `npm run screenshots -- dashboard --dark` renders the screens of that name alone, as at night; E2E_PORT takes a product
// that runs already. `npm run screenshots -- console` plays a week of the console and draws the pictures of docs/console.md.
const folder = fileURLToPath(new URL('../screenshots/', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dark: { type: 'boolean', default: false } },
});
const [wanted] = positionals;
const widths = [phone, desktop];

interface Kept {
  supporter: Supporter;
  storageState: Awaited<ReturnType<typeof signedInState>>;
}

const fileOf = ({ screen, name }: KnownState, width: number) =>
  `${screen} - ${name} - ${width}.png`.replaceAll(' ', '-');

async function shoot(browser: Browser, kept: Kept, known: KnownState): Promise<void> {
  const context = await browser.newContext({
    baseURL: product(),
    viewport: phone,
    reducedMotion: 'reduce',
    colorScheme: values.dark ? 'dark' : 'light',
    ...(known.state.as === 'member' && { storageState: kept.storageState }),
  });
  const page = await context.newPage();
  await open(known.state, page, kept.supporter);
  await page.setViewportSize(desktop);
  await expectWords(page, known.words);
  for (const size of widths) {
    await page.setViewportSize(size);
    await page.waitForTimeout(150);
    await wholePicture(page, `${folder}${fileOf(known, size.width)}`);
  }
  await context.close();
}

const picture = (known: KnownState, width: number) =>
  `<a href="${fileOf(known, width)}"><img loading="lazy" src="${fileOf(known, width)}" height="420" alt=""></a>`;

const section = (known: KnownState) =>
  `<section><h2>${known.screen}: ${known.name}</h2>${widths.map(({ width }) => picture(known, width)).join('\n')}</section>`;

function writeIndex(states: KnownState[]): void {
  const style =
    'body{font:15px system-ui;margin:24px;background:#eef1f2}img{border:1px solid #c8cfd1;margin:0 16px 24px 0}';
  const page = `<!doctype html><meta charset="utf-8"><title>Every screen</title><style>${style}</style>`;
  writeFileSync(`${folder}index.html`, `${page}\n${states.map(section).join('\n')}\n`);
}

async function shootAll(): Promise<number> {
  const states = allStates.filter(({ screen }) => !wanted || screen === wanted);
  if (!wanted) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
  const supporter = await aSupporter();
  const kept = { supporter, storageState: await signedInState(browser, supporter) };
  let failures = 0;
  for (const known of states) {
    await shoot(browser, kept, known).catch((error: unknown) => {
      failures += 1;
      console.error(`${known.screen}: ${known.name}: ${error}`);
    });
  }
  await browser.close();
  writeIndex(states);
  process.stdout.write(`${states.length - failures} states in ${folder}index.html, ${failures} failed\n`);
  return failures;
}

/** Draws a working week as its journey plays it, in a product of its own. */
function shootConsole(): number {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const pictures = fileURLToPath(new URL('../docs/console/', import.meta.url));
  mkdirSync(pictures, { recursive: true });
  const env = { ...process.env, PICTURES: pictures, BROWSER_PATH: findBrowser() };
  const playwright = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list', 'console-week'];
  return spawnSync(`${root}node_modules/.bin/playwright`, playwright, { cwd: root, stdio: 'inherit', env }).status ?? 1;
}

if (wanted === 'console') process.exit(shootConsole());

const isRunning = process.env.E2E_PORT !== undefined;
const place = await aPlace();
process.env.E2E_PORT ??= String(place.port);
const program = isRunning ? undefined : startProduct(place);
if (program) await untilReady(program);
try {
  process.exitCode = (await shootAll()) > 0 ? 1 : 0;
} finally {
  if (program) await stopProduct(program);
}
