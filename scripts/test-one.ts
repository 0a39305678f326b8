import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './browser.ts';
import { mayInstall } from './debian-programs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [name, ...more] = process.argv.slice(2).filter((word) => word !== '--debug');
const isDebugged = process.argv.includes('--debug');
if (!name) {
  console.error('Say which test: npm run test:one -- NAME [--debug] [-t "words of its title"]');
  process.exit(1);
}

const isJourney = readdirSync(join(root, 'e2e')).some((file) => file.endsWith('.spec.ts') && file.startsWith(name));
if (isJourney) spawnSync(process.execPath, [join(root, 'scripts/prepare.mjs'), '--build'], { stdio: 'inherit' });
const [command, args] = isJourney
  ? [
      'playwright',
      [
        'test',
        '--config',
        'e2e/playwright.config.ts',
        '--reporter=list',
        name,
        ...(isDebugged ? ['--debug'] : []),
        ...more,
      ],
    ]
  : ['vitest', ['run', name, ...(isDebugged ? ['--inspect-brk', '--no-file-parallelism'] : []), ...more]];
process.env[mayInstall] = '1';
const child = spawn(join(root, 'node_modules/.bin', command), args, {
  cwd: root,
  stdio: 'inherit',
  env: isJourney
    ? {
        ...process.env,
        BROWSER_PATH: findBrowser({ isSeen: isDebugged }),
        BROWSER_WITH_WINDOWS: findBrowser({ isSeen: true }),
      }
    : process.env,
});
child.on('close', (code) => process.exit(code ?? 1));
