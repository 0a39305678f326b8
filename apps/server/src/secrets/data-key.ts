import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { namingFullDisk } from '#full-disk.ts';

/** One 32-byte key, or several with commas or line ends between them: the first encrypts, all decrypt (field-encryption.ts). */
export const writtenKeys = /^[0-9a-f]{64}([,\s]+[0-9a-f]{64})*$/;

/** Returns the keys of a text as they are written. */
export const writtenKeysOf = (text: string): string[] => text.split(/[,\s]+/).filter(Boolean);

function parseKeys(text: string): [Buffer, ...Buffer[]] {
  if (!writtenKeys.test(text)) throw new Error('A data key must be 64 hexadecimal digits.');
  const [first = '', ...others] = writtenKeysOf(text);
  return [Buffer.from(first, 'hex'), ...others.map((key) => Buffer.from(key, 'hex'))];
}

/** Keys given by configuration, or one made on first start and kept in the data folder with mode 0600. */
export async function loadKeys(dataDir: string, name: string, given?: string): Promise<[Buffer, ...Buffer[]]> {
  if (given) return parseKeys(given);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, `${name}.key`);
  if (!existsSync(file)) await makeKey(file);
  return parseKeys((await readFile(file, 'utf8')).trim());
}

/** Makes a key under its name atomically, or leaves one that another process made first. */
async function makeKey(file: string): Promise<void> {
  const written = `${file}.${randomUUID()}`;
  const key = randomBytes(32).toString('hex');
  await namingFullDisk('a key of DATA_DIR', () => writeFile(written, key, { mode: 0o600, flush: true }));
  try {
    await link(written, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(written);
  }
}
