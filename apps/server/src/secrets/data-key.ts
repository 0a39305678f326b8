import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A 32-byte key given by configuration, or made on first start and kept in the data folder with mode 0600. */
export async function loadKey(dataDir: string, name: string, given?: string): Promise<Buffer> {
  if (given) return Buffer.from(given, 'hex');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, `${name}.key`);
  try {
    await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return Buffer.from((await readFile(file, 'utf8')).trim(), 'hex');
}
