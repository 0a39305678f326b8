import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium } from '@playwright/test';

const onTheMachine = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
];

const installed = (): string | undefined =>
  [chromium.executablePath(), ...onTheMachine].find((path) => existsSync(path));

/** A browser for the tests: Playwright's own, else one on the machine, else Debian's `chromium`, installed here if need be. */
export function findBrowser(): string {
  const found = installed();
  if (found) return found;
  console.error('Looking for a browser: asking Playwright for its own ...');
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test')), 'cli.js');
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'ignore', timeout: 300_000 });
  const own = installed();
  if (own) return own;
  if (userInfo().uid === 0 && existsSync('/usr/bin/apt-get')) {
    console.error("Installing Debian's chromium ...");
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    for (const args of [
      ['update', '-qq'],
      ['install', '-y', '-qq', 'chromium'],
    ])
      spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000, env });
  }
  const last = installed();
  if (!last)
    throw new Error('No browser was found and none could be installed; install chromium and run the tests again.');
  return last;
}
