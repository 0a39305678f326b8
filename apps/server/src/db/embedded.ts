import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { bareEnvironment, type Cluster, passwordFiles, prepareCluster } from './cluster.ts';
import { connect } from './connect.ts';
import { productRole } from './product-role.ts';
import { formerPort, readyPort, runningPort } from './running-postmaster.ts';

export interface EmbeddedDatabase {
  /** As the product's role, which owns nothing append-only. */
  url: string;
  /** As the superuser: for migrations, tests and tools. */
  ownerUrl: string;
  /** Starts PostgreSQL again after it ended; throws where that fails. */
  restart(): Promise<void>;
  /** Stops PostgreSQL unless another process is still using it. */
  release(): Promise<void>;
}

/**
 * Starts the PostgreSQL server kept under `dataDir`, or joins the one already running there
 * (a server outlives a killed Sparechange; its data is safe either way). See docs/decisions/database.md#embedded-postgresql.
 */
export async function startEmbedded(dataDir: string, settings: Record<string, string> = {}): Promise<EmbeddedDatabase> {
  const cluster = await prepareCluster(dataDir);
  const port = await findOrLaunch(cluster, settings);
  await makeDatabase(cluster, port);
  await makeProductRole(ownerUrlOf(cluster, port, 'sparechange'), cluster.productPassword);
  return databaseAt(port, cluster, { cluster: async () => cluster, settings });
}

/**
 * Returns the server that runs under `dataDir` as far as its files tell: a killed one leaves them behind, so its address is
 * to be tried. Undefined where they name none. Starts and makes nothing.
 */
export async function findEmbedded(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedDatabase | undefined> {
  const files = passwordFiles(dataDir);
  const read = (file: string) => readFile(file, 'utf8').catch(() => '');
  const [port, password, productPassword] = await Promise.all([
    readyPort(join(dataDir, 'postgres')),
    read(files.password),
    read(files.productPassword),
  ]);
  if (!port || !password || !productPassword) return undefined;
  const cluster = () => prepareCluster(dataDir);
  return databaseAt(port, { password, productPassword }, { cluster, settings });
}

type Passwords = Pick<Cluster, 'password' | 'productPassword'>;

interface Ways {
  cluster(): Promise<Cluster>;
  settings: Record<string, string>;
}

function databaseAt(port: number, passwords: Passwords, { cluster, settings }: Ways): EmbeddedDatabase {
  const ownerUrl = ownerUrlOf(passwords, port, 'sparechange');
  const restart = async () => {
    const found = await findOrLaunch(await cluster(), { ...settings, port: String(port) });
    if (found !== port) throw new Error(`PostgreSQL runs on port ${found} now; restart Sparechange.`);
  };
  return {
    url: urlOf(productRole, passwords.productPassword, port, 'sparechange'),
    ownerUrl,
    restart,
    release: async () => release(await cluster(), ownerUrl),
  };
}

/** Returns the port of the running server or starts one, on the port of a server that was killed where that is free. */
async function findOrLaunch(cluster: Cluster, settings: Record<string, string>): Promise<number> {
  const former = await formerPort(cluster.folder);
  const port = await portOf(cluster);
  if (port) return port;
  const wanted = settings.port ?? (await portIfFree(former)) ?? (await portIfFree(0));
  return launch(cluster, { ...settings, port: String(wanted) });
}

/** Makes the database where missing: an earlier start may have been killed before it did. */
async function makeDatabase(cluster: Cluster, port: number): Promise<void> {
  const admin = connect(ownerUrlOf(cluster, port, 'postgres'), { max: 1 });
  try {
    const [known] = await admin`select 1 from pg_database where datname = 'sparechange'`;
    if (!known) await admin`create database sparechange`.catch(ignoreMadeElsewhere);
  } finally {
    await admin.end();
  }
}

/** A concurrent start has made the database. */
function ignoreMadeElsewhere(error: unknown): void {
  const { code } = error as { code?: string };
  if (code !== '42P04' && code !== '23505') throw error;
}

/** Makes the product's role where missing, as in older clusters. */
async function makeProductRole(ownerUrl: string, password: string): Promise<void> {
  const owner = connect(ownerUrl, { max: 1 });
  try {
    await owner.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('sparechange.roles'))`;
      const [known] = await tx`select 1 from pg_roles where rolname = ${productRole}`;
      if (known) return;
      await tx.unsafe(
        `create role ${productRole} login nosuperuser nocreaterole nocreatedb noreplication nobypassrls password '${password}'`,
      );
    });
  } finally {
    await owner.end();
  }
}

const urlOf = (role: string, password: string, port: number, database: string) =>
  `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;

const ownerUrlOf = ({ password }: Pick<Cluster, 'password'>, port: number, database: string) =>
  urlOf('sparechange', password, port, database);

const succeeds = (done: Promise<unknown>): Promise<boolean> =>
  done.then(
    () => true,
    () => false,
  );

const portOf = (cluster: Cluster): Promise<number | undefined> =>
  runningPort(cluster.folder, {
    isRunning: () => succeeds(pgCtl(cluster, ['status'])),
    answers: (port) => {
      const admin = connect(ownerUrlOf(cluster, port, 'postgres'), { max: 1 });
      return succeeds(admin`select 1`.finally(() => admin.end()));
    },
  });

/**
 * Raises PostgreSQL's cautious defaults; every commit stays durable. Memory follows the machine, checkpoints are spread
 * so that fewer pages are written twice, and statements are never compiled. Measured in docs/performance.md.
 */
function performanceSettings(): Record<string, string> {
  const megabytes = Math.floor(totalmem() / 2 ** 20);
  return {
    shared_buffers: `${Math.min(2048, Math.max(128, Math.floor(megabytes / 8)))}MB`,
    effective_cache_size: `${Math.max(256, Math.floor(megabytes / 2))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '256MB',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    jit: 'off',
  };
}

async function launch(cluster: Cluster, settings: { port: string }): Promise<number> {
  const port = Number(settings.port);
  const options = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    max_connections: '200',
    ...performanceSettings(),
    logging_collector: 'off',
    ...settings,
  };
  const flags = Object.entries(options).map(([name, value]) => `-c ${name}='${value}'`);
  const log = join(cluster.folder, 'server.log');
  try {
    await pgCtl(cluster, ['start', '-w', '-t', '120', '-l', log, '-o', flags.join(' ')]);
  } catch (cause) {
    const joined = await portOf(cluster); // somebody else started it in the same moment
    if (joined) return joined;
    throw new Error(`PostgreSQL did not start; ${log} says why.`, { cause });
  }
  return port;
}

/** Settings for data that need not survive the machine, such as a test's: no commit waits for the disk. */
export const withoutFsync = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** On stop PostgreSQL writes a checkpoint; after 4 s we leave it to finish alone. */
const maxStopWaitMs = 4_000;
/** The last connections of a process that ends take a moment to end as well, longer on a busy machine. */
const maxLeavingMs = 500;

async function release(cluster: Cluster, url: string): Promise<void> {
  if (await isUsed(url)) return;
  await pgCtl(cluster, ['stop', '-m', 'fast', '-W']);
  const whileRunning = join(cluster.folder, 'postmaster.pid'); // is removed last; asking pg_ctl costs a process each time
  for (let waitedMs = 0; waitedMs < maxStopWaitMs && existsSync(whileRunning); waitedMs += 50) await setTimeout(50);
}

/** Returns whether another process stays connected. */
async function isUsed(url: string): Promise<boolean> {
  const admin = connect(url, { max: 1 });
  const others = () => admin`
    select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`;
  try {
    for (let waitedMs = 0; (await others()).length > 0; waitedMs += 50) {
      if (waitedMs >= maxLeavingMs) return true;
      await setTimeout(50);
    }
    return false;
  } finally {
    await admin.end();
  }
}

/** Inherits no stdio: the server would keep our pipes open. */
async function pgCtl(cluster: Cluster, args: string[]): Promise<void> {
  const [command, ...rest] = args;
  await new Promise<void>((resolve, reject) => {
    const child = execFile(join(cluster.bin, 'pg_ctl'), [command ?? '', '-D', cluster.folder, '-s', ...rest], {
      ...cluster.user,
      cwd: '/',
      env: bareEnvironment,
    });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`pg_ctl ${command} ended with ${code}`))));
  });
}

/** Returns the port, a free one for 0, or undefined where another process has it. */
const portIfFree = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(undefined));
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      const found = typeof address === 'object' && address ? address.port : undefined;
      probe.close(() => resolve(found));
    });
  });
