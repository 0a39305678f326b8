import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { namingFullDisk } from '#full-disk.ts';
import { makeSecret } from './secret.ts';
import {
  asSigningKey,
  makeKey,
  type NamedKey,
  publicKeySet,
  RsaKey,
  type SigningKey,
  type SigningKeys,
} from './signing-keys.ts';

export const identityKeysFolder = (dataDir: string): string => join(dataDir, 'identity-keys');

const KeyFile = z.object({ madeAt: z.number(), key: RsaKey.required({ kid: true, d: true }) });

/** Interval of rereading the folder, so rotation needs no restart. */
const rereadMs = 60_000;

const seconds = () => Math.floor(Date.now() / 1000);

const numberOf = (name: string): number => Number(/^(\d+)\.json$/.exec(name)?.[1] ?? 0);

/** The keys in the folder, oldest first. */
async function listKeys(folder: string): Promise<DatedKey[]> {
  const names = (await readdir(folder)).filter((name) => numberOf(name) > 0);
  names.sort((a, b) => numberOf(a) - numberOf(b));
  return Promise.all(names.map(async (name) => KeyFile.parse(JSON.parse(await readFile(join(folder, name), 'utf8')))));
}

/** Writes a file whole or not at all, never overwriting. */
async function addKey(folder: string, number: number): Promise<void> {
  const draft = join(folder, `draft-${makeSecret(8)}`);
  const content = JSON.stringify({ madeAt: seconds(), key: await makeKey() });
  await namingFullDisk('a key that signs sessions', () => writeFile(draft, content, { mode: 0o600, flag: 'wx' }));
  try {
    await link(draft, join(folder, `${number}.json`));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(draft);
  }
}

/**
 * The signing keys kept in `folder`, one file each with mode 0600; the first is made when there is none.
 * Servers sharing the folder agree on them, also when they start together.
 */
export async function loadSigningKeys(folder: string): Promise<SigningKeys> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let keys = await listKeys(folder);
  if (keys.length === 0) {
    await addKey(folder, 1);
    keys = await listKeys(folder);
  }
  let readAt = Date.now();
  let imported: SigningKey | undefined;

  const current = async () => {
    if (Date.now() - readAt > rereadMs) {
      readAt = Date.now();
      keys = await listKeys(folder);
    }
    return keys;
  };
  return {
    signing: async () => {
      const key = signingKeyAt(await current(), seconds());
      if (!key) throw new Error(`There is no identity key in ${folder}.`);
      if (imported?.kid !== key.kid) imported = await asSigningKey(key);
      return imported;
    },
    published: async () => publicKeySet(publishedKeysAt(await current(), seconds())),
  };
}

/**
 * Adds a key that takes over once every cache of our public keys knows it. Nobody is signed out: the old one stays
 * published for as long as its tokens live (see `publishedKeysAt`). While the newest one waits for its turn none is added.
 */
export async function rotateSigningKey(folder: string): Promise<'added' | 'under way'> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const keys = await listKeys(folder);
  if (keys.at(-1)?.key.kid !== signingKeyAt(keys, seconds())?.kid) return 'under way';
  const newest = Math.max(0, ...(await readdir(folder)).map(numberOf));
  await addKey(folder, newest + 1);
  return 'added';
}

/** A key and the second it was made. */
interface DatedKey {
  madeAt: number;
  key: NamedKey;
}

/** A new key is published this long before it signs: clients that cache our keys for an hour know it in time. */
export const leadSeconds = 65 * 60;

/** Time a retired key stays published; tokens last one hour. */
export const afterlifeSeconds = 2 * 60 * 60;

/** Second from which a key signs; the first signs immediately. */
const signsFrom = ({ madeAt }: DatedKey, index: number): number => (index === 0 ? 0 : madeAt + leadSeconds);

/** The key that signs at `now`: of keys given oldest first, the youngest whose lead time is over. Undefined without keys. */
export function signingKeyAt(keys: DatedKey[], now: number): NamedKey | undefined {
  return keys.filter((key, index) => signsFrom(key, index) <= now).at(-1)?.key;
}

/** The keys to publish at `now`, of keys given oldest first: all but those whose last token has ended. */
export function publishedKeysAt(keys: DatedKey[], now: number): NamedKey[] {
  const isOver = (index: number) => {
    const next = keys[index + 1];
    return next !== undefined && signsFrom(next, index + 1) + afterlifeSeconds <= now;
  };
  return keys.filter((_key, index) => !isOver(index)).map(({ key }) => key);
}
