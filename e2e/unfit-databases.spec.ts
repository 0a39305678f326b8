import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, writeFileSync } from 'node:fs';
import { connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { connect } from '@sparechange/server/db/connect.ts';
import { startEmbedded } from '@sparechange/server/db/embedded.ts';
import { databaseUser } from '@sparechange/server/db/os-user.ts';
import { debianPrograms } from '../scripts/debian-programs.ts';
import { aPlace, startProduct, stopProduct, untilReady } from './product.ts';

const bouncer = await debianPrograms({ pgbouncer: 'pgbouncer' });
const older = await debianPrograms({ initdb: 'postgresql', pg_ctl: 'postgresql' });

/** As docs/going-live.md says. */
const ignored =
  'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout,tcp_keepalives_idle,tcp_keepalives_interval,tcp_keepalives_count';

const run = promisify(execFile);
let server: Awaited<ReturnType<typeof startEmbedded>>;
const pools: ChildProcess[] = [];
const url = () => new URL(server.ownerUrl);

test.beforeAll(async () => {
  const { dataDir } = await aPlace();
  server = await startEmbedded(dataDir, { fsync: 'off' });
});
test.afterAll(async () => {
  for (const child of pools) child.kill();
  await server.release();
});

const direct = (database: string) => Object.assign(url(), { pathname: `/${database}` }).href;

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = dial(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.end());
  });

interface Pooler {
  /** The database's address at the pooler. */
  address: string;
  /** Restarts the pooler, which caches a role's settings from its first connection and gives them to all sessions. */
  restart(): Promise<void>;
}

/** Starts PgBouncer in front of a new database. */
async function aPooler(
  mode: 'session' | 'transaction' | 'statement',
  database: string,
  ignores = ignored,
): Promise<Pooler> {
  const owner = connect(server.ownerUrl, { max: 1 });
  await owner.unsafe(`create database ${database}`);
  await owner.end();
  const { port } = await aPlace();
  const folder = mkdtempSync(join(tmpdir(), 'sparechange-pooler-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  const { hostname, port: to, username, password } = url();
  writeFileSync(
    file,
    `[databases]
${database} = host=${hostname} port=${to} user=${username} password=${password} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 60
max_client_conn = 200
ignore_startup_parameters = ${ignores}
`,
  );
  chmodSync(file, 0o644);
  const program = bouncer.whyNot === undefined ? bouncer.paths.pgbouncer : '';
  const start = async () => {
    const child = spawn(program, [file], { ...databaseUser(), stdio: 'ignore' });
    pools.push(child);
    while (!(await listens(port))) await pause(50);
    return child;
  };
  let child = await start();
  const restart = async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
    child = await start();
  };
  return { address: `postgres://${username}@127.0.0.1:${port}/${database}`, restart };
}

/** Starts the product; returns its output at its end, and the database's number of tables then. */
async function refusal(databaseUrl: string, direct: string): Promise<{ said: string; tables: number }> {
  const program = startProduct(await aPlace(), { DATABASE_URL: databaseUrl }, 'api');
  await once(program.child, 'exit');
  const owner = connect(direct, { max: 1 });
  const [row] = await owner<{ tables: number }[]>`
    select count(*)::int as tables from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`;
  await owner.end();
  return { said: program.said(), tables: row?.tables ?? 0 };
}

for (const mode of ['transaction', 'statement'] as const)
  test(`PgBouncer in ${mode} mode is refused with one sentence, before anything is created`, async () => {
    test.skip(bouncer.whyNot !== undefined, bouncer.whyNot);
    const { address } = await aPooler(mode, `of_${mode}`);
    const { said, tables } = await refusal(address, direct(`of_${mode}`));
    expect(said).toContain('did not start. The proxy in front of the database server shares a session');
    expect(said).not.toMatch(/^\s+at /m);
    expect(tables).toBe(0);
  });

test('in session mode the lost settings are named until the role has them, then the product serves', async () => {
  test.skip(bouncer.whyNot !== undefined, bouncer.whyNot);
  const { address, restart } = await aPooler('session', 'of_session');
  const { said, tables } = await refusal(address, direct('of_session'));
  for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
    expect(said).toContain(`${name} is 0s and not `);
  expect([said.match(/alter role/g)?.length, tables]).toEqual([3, 0]); // the server's own zone is UTC
  const owner = connect(server.ownerUrl, { max: 1 });
  const { username } = url();
  for (const setting of [
    ...["statement_timeout = '12h'", "lock_timeout = '30min'", "idle_in_transaction_session_timeout = '10min'"],
    "TimeZone = 'Australia/Sydney'",
  ])
    await owner.unsafe(`alter role ${username} in database of_session set ${setting}`);
  await restart();
  const sydney = await refusal(address, direct('of_session'));
  expect(sydney.said).toContain('TimeZone is Australia/Sydney and not UTC');
  await owner.unsafe(`alter role ${username} in database of_session set TimeZone = 'UTC'`);
  await restart();
  await owner.end();
  const program = startProduct(await aPlace(), { DATABASE_URL: address });
  await untilReady(program);
  expect(await stopProduct(program)).toBe(0);
});

test('where PgBouncer admits no options, the start says so in one sentence', async () => {
  test.skip(bouncer.whyNot !== undefined, bouncer.whyNot);
  const { address } = await aPooler('session', 'of_few', ignored.replace('options,', ''));
  const { said } = await refusal(address, direct('of_few'));
  expect(said).toContain('unsupported startup parameter: options');
  expect(said).not.toMatch(/^\s+at /m);
});

test('an older PostgreSQL is refused with one sentence, before anything is created', async () => {
  test.skip(older.whyNot !== undefined, older.whyNot);
  const { initdb, pg_ctl } = older.whyNot === undefined ? older.paths : { initdb: '', pg_ctl: '' };
  const { stdout: version } = await run(initdb, ['--version']);
  const [major = ''] = /\d+/.exec(version) ?? [];
  test.skip(Number(major) >= 18, `Debian's PostgreSQL here is ${major}, which is new enough`);
  const { port } = await aPlace();
  const folder = mkdtempSync(join(tmpdir(), 'sparechange-older-'));
  const user = databaseUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const as = { ...user, cwd: '/' };
  await run(initdb, ['-D', `${folder}/data`, '-U', 'postgres', '--auth=trust'], as);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`;
  await run(pg_ctl, ['-D', `${folder}/data`, '-w', '-l', `${folder}/log`, '-o', options, 'start'], as);
  try {
    const address = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const { said, tables } = await refusal(address, address);
    expect(said).toMatch(/did not start\. The database server is PostgreSQL \d+\.\d+.*needs 18 or newer\.\n/);
    expect(said).not.toMatch(/^\s+at /m);
    expect(tables).toBe(0);
  } finally {
    await run(pg_ctl, ['-D', `${folder}/data`, '-m', 'immediate', 'stop'], as);
  }
});
