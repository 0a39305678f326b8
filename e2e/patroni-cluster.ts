import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { postgresPrograms } from '@sparechange/server/db/cluster.ts';
import { connect } from '@sparechange/server/db/connect.ts';
import { databaseUser, type OsUser } from '@sparechange/server/db/os-user.ts';
import { load } from 'js-yaml';
import { aPlace } from './product.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const needed = ['patroni', 'etcd', 'haproxy', 'psql', 'pg_isready'];

/** Returns the programs that this machine lacks; nothing installs them. */
export const missingPrograms = (): string[] =>
  needed.filter((name) => spawnSync('sh', ['-c', 'PATH=$PATH:/usr/sbin command -v "$0"', name]).status !== 0);

const superuser = { username: 'postgres', password: 'super' };
const replication = { username: 'sparechange_replication', password: 'copy' };

interface Node {
  name: 'db-1' | 'db-2';
  port: number;
  restPort: number;
  folder: string;
  patroni: ChildProcess | undefined;
}

type Settings = Record<string, unknown>;

/** Settings of deploy/patroni/patroni.yml for two nodes on this machine. */
function settingsOf(node: Node, bin: string, etcdPort: number): Settings {
  const { bootstrap, postgresql, ...rest } = load(readFileSync(join(root, 'deploy/patroni/patroni.yml'), 'utf8')) as {
    bootstrap: { dcs: Settings & { postgresql: Settings } };
    postgresql: Settings;
  };
  const { dcs } = bootstrap;
  const at = (port: number) => ({ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}` });
  return {
    ...rest,
    name: node.name,
    etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
    restapi: at(node.restPort),
    bootstrap: {
      ...bootstrap,
      dcs: {
        ...dcs,
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        postgresql: {
          ...dcs.postgresql,
          pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
        },
      },
    },
    postgresql: {
      ...postgresql,
      ...at(node.port),
      bin_dir: bin,
      data_dir: join(node.folder, 'data'),
      pgpass: join(node.folder, 'pgpass'),
      parameters: { unix_socket_directories: '' },
      authentication: { superuser, replication },
      create_replica_methods: ['copy'],
      copy: { command: join(bin, 'copy-primary') },
    },
  };
}

/** Links PostgreSQL's programs, with stand-ins for those that npm lacks. */
async function programs(home: string, user: OsUser | undefined): Promise<string> {
  const bin = join(home, 'bin');
  const postgres = await postgresPrograms(user);
  cpSync(join(root, 'e2e/patroni'), bin, { recursive: true });
  for (const name of ['initdb', 'pg_ctl', 'postgres']) symlinkSync(join(postgres, name), join(bin, name));
  const isReady = execFileSync('sh', ['-c', 'command -v pg_isready'], { encoding: 'utf8' }).trim();
  symlinkSync(isReady, join(bin, 'pg_isready'));
  return bin;
}

/**
 * Starts two PostgreSQL under Patroni, with etcd and the proxy of deploy/patroni, all on this machine. The addresses lead
 * to the primary, whichever it is.
 */
export async function startPatroni() {
  const home = mkdtempSync(join(tmpdir(), 'sparechange-patroni-'));
  chmodSync(home, 0o755);
  const user = databaseUser();
  const bin = await programs(home, user);
  const [first, second, third] = [await aPlace(), await aPlace(), await aPlace()];
  const etcdPort = third.port;
  const running = new Set<ChildProcess>();
  process.on('exit', () => {
    for (const child of running) child.kill();
  });

  const launch = (name: string, command: string, args: string[]) => {
    const log = openSync(join(home, `${name}.log`), 'a');
    const env = {
      ...process.env,
      PATH: `${process.env.PATH}:/usr/sbin`,
      PRIMARY_USER: superuser.username,
      PRIMARY_PASSWORD: superuser.password,
    };
    const child = spawn(command, args, { ...user, env, cwd: '/', stdio: ['ignore', log, log] });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  };
  const own = (folder: string) => {
    mkdirSync(folder, { mode: 0o700 });
    if (user) chownSync(folder, user.uid, user.gid);
    return folder;
  };
  const nodes = [first, second].map(
    ({ port }, at): Node => ({
      name: at === 0 ? 'db-1' : 'db-2',
      port,
      restPort: port + 1,
      folder: own(join(home, `db-${at + 1}`)),
      patroni: undefined,
    }),
  );
  const [peer, client] = [`http://127.0.0.1:${etcdPort + 1}`, `http://127.0.0.1:${etcdPort}`];
  launch('etcd', 'etcd', [
    ...['--name', 'one', '--data-dir', own(join(home, 'etcd')), '--initial-cluster', `one=${peer}`],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
  ]);
  const start = (node: Node) => {
    const file = join(home, `${node.name}.json`);
    writeFileSync(file, JSON.stringify(settingsOf(node, bin, etcdPort)));
    node.patroni = launch(node.name, 'patroni', [file]);
  };
  const proxyPort = third.port + 2;
  let proxy = readFileSync(join(root, 'deploy/patroni/haproxy.cfg'), 'utf8').replaceAll(
    '127.0.0.1:5000',
    `127.0.0.1:${proxyPort}`,
  );
  for (const [at, { port, restPort }] of nodes.entries())
    proxy = proxy.replace(`10.0.0.1${at + 1}:5432 check port 8008`, `127.0.0.1:${port} check port ${restPort}`);
  writeFileSync(join(home, 'haproxy.cfg'), proxy);
  launch('haproxy', 'haproxy', ['-f', join(home, 'haproxy.cfg')]);
  for (const node of nodes) start(node);

  const listRoles = async (): Promise<Record<string, string>> => {
    for (const { restPort } of nodes) {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => undefined);
      if (!answer?.ok) continue;
      const { members } = (await answer.json()) as { members: { name: string; role: string; state: string }[] };
      return Object.fromEntries(members.map(({ name, role, state }) => [name, state === 'stopped' ? state : role]));
    }
    return {};
  };
  const untilWhole = () =>
    expect
      .poll(async () => Object.values(await listRoles()).sort(), { timeout: 180_000 })
      .toEqual(['leader', 'sync_standby']);
  await untilWhole();

  const ask = `postgres://${superuser.username}:${superuser.password}@127.0.0.1:${proxyPort}`;
  const admin = connect(`${ask}/postgres`, { max: 1 });
  // The roles of docs/going-live.md.
  for (const statement of [
    "create role sparechange_owner login password 'owner'",
    "create role sparechange_product login password 'product'",
    'create database sparechange owner sparechange_owner',
    'grant sparechange_product to sparechange_owner',
  ])
    await admin.unsafe(statement);
  await admin.end();

  return {
    home,
    url: `postgres://sparechange_product:product@127.0.0.1:${proxyPort}/sparechange`,
    ownerUrl: `postgres://sparechange_owner:owner@127.0.0.1:${proxyPort}/sparechange`,
    superuserUrl: `${ask}/sparechange`,
    untilWhole,
    /** Kills the primary's processes, including Patroni's for a lost machine; returns once the other node leads. */
    killPrimary: async (victim: 'postgres' | 'machine') => {
      const before = await listRoles();
      const node = nodes.find(({ name }) => before[name] === 'leader');
      if (!node) throw new Error(`Nobody leads: ${JSON.stringify(before)}`);
      if (victim === 'machine') node.patroni?.kill('SIGKILL');
      killPostgres(node);
      const other = nodes.find(({ name }) => name !== node.name)?.name ?? '';
      const startedAt = Date.now();
      await expect.poll(async () => (await listRoles())[other], { timeout: 120_000, intervals: [100] }).toBe('leader');
      return { name: node.name, seconds: (Date.now() - startedAt) / 1_000, again: () => start(node) };
    },
    stop: async () => {
      for (const { patroni } of nodes) {
        if (!patroni || !running.has(patroni)) continue;
        patroni.kill('SIGTERM');
        await once(patroni, 'exit');
      }
      for (const child of running) child.kill('SIGTERM');
    },
  };
}

/** Kills the postmaster and all its processes. */
function killPostgres({ folder }: Node): void {
  const postmaster = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';
  const children = spawnSync('ps', ['-o', 'pid=', '--ppid', postmaster], { encoding: 'utf8' }).stdout.split('\n');
  for (const pid of [postmaster, ...children].map(Number))
    if (pid)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {}
}
