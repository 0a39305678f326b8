import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns {Record<string, unknown>} the packages of a lock file by their folders; none where it is missing or broken off */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

const libc = () => (process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl');

/** Returns whether something is named, alone or in a list. */
const names = (named, wanted) => [named].flat().includes(wanted);

/** Returns whether an optional package is made for this machine; one that names none comes with another, or not. */
const isMadeForUs = ({ os, cpu, libc: libcs }) =>
  names(cpu, process.arch) &&
  (os === undefined || names(os, process.platform)) &&
  (libcs === undefined || process.platform !== 'linux' || names(libcs, libc()));

/**
 * Returns whether npm has installed what a project's package-lock.json asks for, what only tests and development need
 * included or not: npm writes down what it installed once it has ended, and the folder of each package is still there.
 */
export function isInstalled(root, { withDevelopment }) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const has = packagesOf(join(root, 'node_modules/.package-lock.json'));
  return Object.entries(wanted).every(([path, asked]) => {
    if (path === '' || (asked.dev === true && !withDevelopment)) return true;
    const held = has[path];
    if (!held) return asked.optional === true && !isMadeForUs(asked);
    const facts = asked.link ? ['link', 'resolved'] : ['version', 'integrity']; // the registry may be another
    const isSame = facts.every((name) => held[name] === asked[name]);
    return isSame && existsSync(join(root, path, 'package.json'));
  });
}
