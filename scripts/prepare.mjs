// Brings a fresh machine to where `npm start` and `npm test` can run: installs what is missing and, with --build,
// builds the web app when its sources changed. Runs on Node 20 and newer; everything after it runs on the project's own Node 24.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const node = join(root, 'node_modules/.bin/node');

function fail(sentence) {
  console.error(`\n${sentence}\n`);
  process.exit(1);
}

function run(command, args, what) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`${what} failed${error ? `: ${error.message}` : '; what was printed above says why'}.`);
}

const stampOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

function install() {
  const stamp = join(root, 'node_modules/.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (stampOf(stamp) === wanted && existsSync(node)) return;
  console.error('Installing what is missing; on a fresh machine this takes a minute or two ...');
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  run(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], 'Installing the packages');
  writeFileSync(stamp, wanted);
}

/** Hashes files' names, sizes and times, enough to detect changes. */
function fingerprint(folder, hash) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => a.name.localeCompare(b.name))) {
    if (['node_modules', 'dist'].includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) fingerprint(path, hash);
    else hash.update(`${path} ${statSync(path).size} ${statSync(path).mtimeMs}\n`);
  }
  return hash;
}

function build() {
  const stamp = join(root, 'apps/web/dist/.built');
  const hash = createHash('sha256').update(stampOf(join(root, 'node_modules/.installed')));
  for (const folder of ['apps/web', 'apps/console', 'packages']) fingerprint(join(root, folder), hash);
  const wanted = hash.digest('hex');
  if (stampOf(stamp) === wanted) return;
  console.error('Building the web app and the console ...');
  const vite = (app, ...args) =>
    run(
      node,
      [join(root, 'node_modules/vite/bin/vite.js'), 'build', app, '--logLevel', 'warn', ...args],
      `Building ${app}`,
    );
  vite('apps/console');
  vite('apps/web');
  vite('apps/web', '--ssr', 'src/server.tsx'); // after the one before, which empties the folder
  writeFileSync(stamp, wanted);
}

if (Number(process.versions.node.split('.')[0]) < 20) fail('Sparechange needs Node 20 or newer to install itself.');
install();
if (spawnSync(node, ['-e', '']).status !== 0)
  fail('The project\'s own Node (npm package "node") does not run on this machine.');
if (process.argv.includes('--build')) build();
