import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Is set by `npm test -- --all` and `npm run test:one`: the other runs take what is there. */
export const mayInstall = 'TESTS_MAY_INSTALL';

/** Held while installing: concurrent test processes wait for each other. */
const lockFile = '/var/tmp/sparechange-tests-install.lock';
const longestMs = 300_000;

/** Programs of the system are not on a user's path, and those of PostgreSQL on no path at all. */
const folders = () => [
  ...(process.env.PATH ?? '').split(':'),
  ...['/usr/local/sbin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'],
  ...globSync('/usr/lib/postgresql/*/bin'),
];
const findProgram = (name: string): string | undefined =>
  folders()
    .map((folder) => `${folder}/${name}`)
    .find((path) => existsSync(path));

/** Packages start no services: tests start what they need. */
const withoutServices = `printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d
trap 'rm -f /usr/sbin/policy-rc.d' EXIT`;

async function install(packages: string[]): Promise<void> {
  const apt = `apt-get -qq -o DPkg::Lock::Timeout=120`;
  const names = packages.join(' ');
  const script = `set -e
${existsSync('/usr/sbin/policy-rc.d') ? '' : withoutServices}
${apt} install -y --no-install-recommends ${names} || { ${apt} update; ${apt} install -y --no-install-recommends ${names}; }`;
  const seconds = longestMs / 1_000;
  const args = ['-w', String(seconds), lockFile, 'timeout', String(seconds), 'sh', '-c', script];
  await run('flock', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 2 * longestMs });
}

/**
 * Finds programs of Debian by their names, and where this run may, installs what is missing from the packages named. Returns
 * their paths, or the reason why a test is skipped.
 */
export async function debianPrograms<Name extends string>(
  packages: Record<Name, string>,
): Promise<{ paths: Record<Name, string>; whyNot?: undefined } | { whyNot: string }> {
  const names = Object.keys(packages) as Name[];
  const missing = () => names.filter((name) => !findProgram(name));
  const isAllowed = process.env[mayInstall] === '1' && userInfo().uid === 0 && existsSync('/usr/bin/apt-get');
  let failure = '';
  if (missing().length > 0 && isAllowed)
    await install(missing().map((name) => packages[name])).catch((error: Error) => {
      failure = `; installing failed: ${error.message.slice(0, 200)}`;
    });
  const absent = missing();
  if (absent.length > 0)
    return {
      whyNot: `this machine lacks ${absent.join(', ')} (Debian: ${absent.map((name) => packages[name]).join(', ')})${failure}`,
    };
  return { paths: Object.fromEntries(names.map((name) => [name, findProgram(name)])) as Record<Name, string> };
}
