// Brings a fresh machine to where `npm start` and `npm test` can run: installs what is missing (with --run only what running
// the product needs), and builds what changed of the server and its commands (--server), and of the web app and the console
// as well (--build). Runs on Node 20 and newer; everything after it runs on the project's own Node 24.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled } from './is-installed.mjs';

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

const runs = (program) => spawnSync(program, ['-e', '']).status === 0;

const stampOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const packagesWanted = createHash('sha256')
  .update(stampOf(join(root, 'package-lock.json')))
  .digest('hex');

/** Removes a third of Node's package: headers for compiling add-ons, which nothing here does. */
function removeHeaders() {
  const packages = join(root, 'node_modules/node/node_modules');
  for (const name of readdirSync(packages).filter((each) => each.startsWith('node-')))
    rmSync(join(packages, name, 'include'), { recursive: true, force: true });
}

/** Installs what running needs, and with `withDevelopment` what tests and development need as well. */
function install(withDevelopment) {
  const stamp = join(root, 'node_modules', withDevelopment ? '.installed-to-develop' : '.installed-to-run');
  if (stampOf(stamp) === packagesWanted && existsSync(node)) return;
  const has = (development) => isInstalled(root, { withDevelopment: development }) && runs(node);
  if (!has(withDevelopment)) {
    console.error('Installing what is missing; on a fresh machine this takes a minute or two ...');
    // A product that runs keeps its packages: `npm ci` would first remove them.
    const [verb, ...how] = withDevelopment && has(false) ? ['install', '--no-save'] : ['ci'];
    const npm = process.env.npm_execpath;
    const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
    const which = withDevelopment ? '--include=dev' : '--omit=dev';
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    run(command, [...first, verb, ...how, which, ...quiet], 'Installing the packages');
  }
  removeHeaders();
  writeFileSync(stamp, packagesWanted);
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

/** Builds what is in an app's `dist` where one of these folders, or a package, has changed since. */
function build(app, folders, make) {
  const stamp = join(root, app, 'dist/.built');
  const hash = createHash('sha256').update(packagesWanted);
  for (const folder of folders) fingerprint(join(root, folder), hash);
  const wanted = hash.digest('hex');
  if (stampOf(stamp) === wanted) return;
  make();
  writeFileSync(stamp, wanted);
}

const vite = (app, ...args) =>
  run(
    node,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', app, '--logLevel', 'warn', ...args],
    `Building ${app}`,
  );

function buildScreens() {
  console.error('Building the web app and the console ...');
  vite('apps/console');
  vite('apps/web');
  vite('apps/web', '--ssr', 'src/server.tsx'); // after the one before, which empties the folder
}

if (Number(process.versions.node.split('.')[0]) < 20) fail('Sparechange needs Node 20 or newer to install itself.');
const wishes = process.argv.slice(2);
install(!wishes.includes('--run'));
if (!runs(node)) fail('The project\'s own Node (npm package "node") does not run on this machine.');
if (wishes.includes('--build')) build('apps/web', ['apps/web', 'apps/console', 'packages'], buildScreens);
if (wishes.includes('--build') || wishes.includes('--server'))
  build('apps/server', ['apps/server', 'packages'], () => vite('apps/server'));
