import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { mayInstall } from './debian-programs.ts';

/** Chromium without windows: it costs half the processor time of the one with them. */
const withoutWindows = '/usr/bin/chromium-headless-shell';

const withWindows = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  chromium.executablePath(),
];

const installed = (paths: string[]): string | undefined => paths.find((path) => existsSync(path));

const canInstall = () => userInfo().uid === 0 && existsSync('/usr/bin/apt-get');

function installFromDebian(name: string): void {
  console.error(`Installing Debian's ${name} ...`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', name, 'fonts-liberation'],
  ])
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000, env });
}

function askPlaywright(): void {
  console.error('Looking for a browser: asking Playwright for its own ...');
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test')), 'cli.js');
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'ignore', timeout: 300_000 });
}

/**
 * Returns the path of a browser for the tests: one on the machine, else Debian's or Playwright's, installed here. Where
 * tests may install programs, Debian's Chromium without windows comes before one with them; a test is debugged in
 * one with windows.
 */
export function findBrowser({ isSeen = false } = {}): string {
  const paths = isSeen ? withWindows : [withoutWindows, ...withWindows];
  const isMissing = !isSeen && process.env[mayInstall] ? !existsSync(withoutWindows) : !installed(paths);
  if (isMissing && canInstall()) installFromDebian(isSeen ? 'chromium' : 'chromium-headless-shell');
  if (!installed(paths)) askPlaywright();
  const found = installed(paths);
  if (!found)
    throw new Error('No browser was found and none could be installed; install chromium and run the tests again.');
  return found;
}
