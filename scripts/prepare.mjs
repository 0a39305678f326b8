// Brings a fresh machine to where `npm start` and `npm test` can run: installs what is missing (with --run only what running
// the product needs), and builds what changed of the server and its commands (--server), and of the web app and the console
// as well (--build), whose files are compressed beside what runs next with --compress-later. Runs on Node 20 and newer; everything
// after it runs on the project's own Node 24.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from './install.mjs';
import { fail, problemOf, stampOf } from './run-step.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const node = join(root, 'node_modules/.bin/node');

/** Hashes files' names, sizes and times, enough to detect changes. */
function fingerprint(folder, hash) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (['node_modules', 'dist'].includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      fingerprint(path, hash);
    } else {
      const { size, mtimeMs } = statSync(path);
      hash.update(`${path} ${size} ${mtimeMs}\n`);
    }
  }
  return hash;
}

/** The state of folders, by their files' names, sizes and times, and of the packages. */
function stateOf(folders, packagesInstalled) {
  const hash = createHash('sha256').update(packagesInstalled);
  for (const folder of folders) fingerprint(join(root, folder), hash);
  return hash.digest('hex');
}

/** What is built, in whose `dist` its stamp is kept, and the folders that it is made of. */
const parts = {
  screens: { app: 'apps/web', folders: ['apps/web', 'apps/console', 'packages'] },
  server: { app: 'apps/server', folders: ['apps/server', 'apps/sandbox', 'packages'] },
};

/** Builds those parts whose folders have changed since. */
function build(names, packagesInstalled) {
  const found = names.map((name) => {
    const { app, folders } = parts[name];
    return { name, stamp: join(root, app, 'dist/.built'), wanted: stateOf(folders, packagesInstalled) };
  });
  const changed = found.filter(({ stamp, wanted }) => stampOf(stamp) !== wanted);
  if (changed.length === 0) return;
  if (changed.some(({ name }) => name === 'screens')) console.error('Building the web app and the console ...');
  const program = join(root, 'scripts/build.mjs');
  const problem = problemOf(node, [program, ...changed.map(({ name }) => name)], { what: 'Building', cwd: root });
  if (problem) fail(problem);
  for (const { stamp, wanted } of changed) writeFileSync(stamp, wanted);
}

/** Compresses the files of the screens where they were built since; does not wait for it if `isLater`. */
function compress(isLater) {
  const folder = join(root, parts.screens.app, 'dist');
  const built = stampOf(join(folder, '.built'));
  const stamp = join(folder, '.compressed');
  if (stampOf(stamp) === built) return;
  const args = [join(root, 'scripts/compress.mjs'), stamp, built];
  if (isLater) return void spawn(node, args, { stdio: 'ignore' }).unref();
  const problem = problemOf(node, args, { what: 'Compressing the screens', cwd: root });
  if (problem) fail(problem);
}

if (Number(process.versions.node.split('.')[0]) < 20) fail('Sparechange needs Node 20 or newer to install itself.');
const wishes = process.argv.slice(2);
const installed = install(root, node, !wishes.includes('--run'));
if (wishes.includes('--build')) {
  build(['screens', 'server'], installed);
  compress(wishes.includes('--compress-later'));
} else if (wishes.includes('--server')) {
  build(['server'], installed);
}
