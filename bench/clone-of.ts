import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Clones a commit of the project at `root` into a folder, and returns the path of its checkout. */
export async function cloneOf(commit: string, root: string, folder: string): Promise<string> {
  const checkout = join(folder, 'checkout');
  await run('git', ['clone', '--quiet', '--no-checkout', root, checkout]);
  await run('git', ['-C', checkout, 'checkout', '--quiet', commit]);
  return checkout;
}
