import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const migrations = 'apps/server/src/db/migrations';
/** From here on the version before keeps running (docs/decisions/database.md#migrations-beside-a-running-version). */
const firstChecked = '20261124';

const run = promisify(execFile);

/** Returns git's output; undefined on failure or without git. */
const git = (...words: string[]): Promise<string | undefined> =>
  run('git', ['-C', root, ...words], { maxBuffer: 2 ** 26 }).then(
    ({ stdout }) => stdout,
    () => undefined,
  );

/** Returns the candidates for the version before, the best first. */
async function candidates(): Promise<string[]> {
  const newest = (await readdir(join(root, migrations))).sort().at(-1) ?? '';
  if (newest < firstChecked) return ['HEAD~1'];
  const added = await git('log', '-1', '--diff-filter=A', '--format=%H', '--', `${migrations}/${newest}`);
  return [added ? `${added.trim()}~1` : 'HEAD', 'HEAD~1'];
}

/** Links packages from this checkout; those of the workspace are the folder's own. */
async function linkPackages(folder: string): Promise<void> {
  const [ours, theirs] = [join(root, 'node_modules'), join(folder, 'node_modules')];
  await mkdir(join(theirs, '@sparechange'), { recursive: true });
  for (const name of await readdir(ours))
    if (name !== '@sparechange' && name !== '.cache') await symlink(join(ours, name), join(theirs, name));
  for (const group of ['apps', 'packages'])
    for (const each of await readdir(join(folder, group))) {
      const { name } = JSON.parse(await readFile(join(folder, group, each, 'package.json'), 'utf8'));
      await symlink(join(folder, group, each), join(theirs, name));
    }
}

/**
 * Checks out the version before the newest migration, or else before the last commit, into a folder of its own. Returns
 * a reason if neither can run with this checkout's packages.
 */
export async function versionBefore(): Promise<{ checkout: string; commit: string } | { whyNot: string }> {
  const packages = await readFile(join(root, 'package-lock.json'), 'utf8');
  let whyNot = 'This checkout has no history (a shallow clone, or none): there is no version before it.';
  for (const commit of await candidates()) {
    const theirs = await git('show', `${commit}:package-lock.json`);
    if (theirs === undefined) continue;
    whyNot = `The version before this one (${commit}) needs other packages: its package-lock.json differs.`;
    if (theirs !== packages) continue;
    const checkout = await mkdtemp(join(tmpdir(), 'sparechange-before-'));
    const archive = join(checkout, 'archive.tar');
    await run('git', ['-C', root, 'archive', `--output=${archive}`, commit]);
    await run('tar', ['-xf', archive, '-C', checkout]);
    await linkPackages(checkout);
    await run(process.execPath, ['scripts/prepare.mjs', '--build'], { cwd: checkout });
    return { checkout, commit };
  }
  return { whyNot };
}
