import { execFile } from 'node:child_process';
import { appendFile, chown, cp, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { type EmbeddedDatabase, startEmbedded, withoutFsync } from '@sparechange/server/db/embedded.ts';
import { databaseUser } from '@sparechange/server/db/os-user.ts';
import { manyProcesses } from './many-processes.ts';
import { aPlace, demo, type Ops } from './product.ts';
import { keepCalling } from './steady-load.ts';

const run = promisify(execFile);
const supporters = 4;

const user = databaseUser();

/** Makes a folder of PostgreSQL's user. */
async function makeFolder(path: string): Promise<string> {
  await mkdir(path, { mode: 0o700 });
  if (user) await chown(path, user.uid, user.gid);
  return path;
}

/** Writes a file of PostgreSQL's user. */
async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  if (user) await chown(path, user.uid, user.gid);
}

/** Copies a running database as pg_basebackup and pgBackRest do, which npm's PostgreSQL lacks. */
async function backUp(owner: Pool, source: string, target: string): Promise<void> {
  const session = await owner.reserve();
  await session`select pg_backup_start('backup', true)`;
  const left = ['./postmaster.*', './pg_wal/*', './pg_replslot/*'].map((each) => `--exclude=${each}`);
  const copy = `tar -C "$0" -cf - --warning=none --ignore-failed-read ${left.map((each) => `'${each}'`).join(' ')} . | tar -C "$1" -xpf -`;
  await run('sh', ['-c', copy, source, target]);
  const [stopped] = await session<{ label: string }[]>`select labelfile as label from pg_backup_stop()`;
  await write(join(target, 'backup_label'), stopped?.label ?? '');
  session.release();
}

/** Waits until everything written so far is in the archive. */
async function untilArchived(owner: Pool): Promise<void> {
  const [wal] = await owner<{ name: string }[]>`select pg_walfile_name(pg_switch_wal()) as name`;
  await expect
    .poll(async () => {
      const [archiver] = await owner<{ last: string }[]>`select last_archived_wal as last from pg_stat_archiver`;
      return archiver && archiver.last >= (wal?.name ?? '');
    })
    .toBe(true);
}

/** Restores the backup to an instant in place of the lost database, and starts it. */
async function restore(
  lost: { dataDir: string; url: string },
  backup: string,
  archive: string,
  at: Date,
): Promise<EmbeddedDatabase> {
  const { dataDir } = await aPlace();
  for (const name of ['postgres.password', 'product.password']) await cp(join(lost.dataDir, name), join(dataDir, name));
  const folder = join(dataDir, 'postgres');
  await run('cp', ['-a', backup, folder]);
  const settings = {
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: at.toISOString().replace('Z', '+00'),
    recovery_target_action: 'promote',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(join(folder, 'postgresql.auto.conf'), lines.join(''));
  await write(join(folder, 'recovery.signal'), '');
  return startEmbedded(dataDir, { ...withoutFsync, port: new URL(lost.url).port });
}

const countPayments = async (bank: string): Promise<number> =>
  (await (await fetch(`${bank}/control/payments`)).json()).length;

test('books restored to an instant learn of the debits since then from the provider, and nobody is debited twice', async () => {
  await using cleanup = new AsyncDisposableStack();
  const { dataDir } = await aPlace();
  const [archive, backup] = [await makeFolder(`${dataDir}-archive`), await makeFolder(`${dataDir}-backup`)];
  for (const each of [archive, backup]) cleanup.defer(() => rm(each, { recursive: true }));
  const archiving = { archive_mode: 'on', archive_command: `cp %p ${archive}/%f` };
  let database = await startEmbedded(dataDir, { ...withoutFsync, ...archiving });
  cleanup.defer(() => database.release());
  const product = await manyProcesses(database, [{ role: 'api' }, { role: 'worker' }]);
  cleanup.defer(product.stop);
  const owner = connect(database.ownerUrl, { max: 2 });
  await Promise.all([product.start(0), product.start(1)]);
  const ops: Ops = product.opsOf();

  await ops('sandbox', 'crowd', '--supporters', String(supporters));
  await ops('debit-run', '--force');
  await backUp(owner, await realpath(join(dataDir, 'postgres')), backup);
  await ops('sandbox', 'crowd', '--supporters', String(2 * supporters));
  const before = await countPayments(product.bank);
  const [point] = await owner<{ at: Date }[]>`select clock_timestamp() as at`;
  // Everything from here on is lost: debits that the provider has, and a checkpoint of the audit log.
  await ops('sandbox', 'purchase', '--supporter', demo.email, '--amount', '4.35');
  await ops('debit-run', '--force');
  await ops('audit', '--changes');
  await untilArchived(owner);
  const taken = await countPayments(product.bank);
  expect(taken).toBeGreaterThan(before); // not of everybody: early in a week some have bought nothing yet
  for (const at of [0, 1]) await product.stopOne(at);
  await owner.end();
  await database.release();

  const lost = { dataDir, url: database.url };
  database = await restore(lost, backup, archive, point?.at ?? new Date());
  expect(database.url).toBe(lost.url);
  const books = connect(database.ownerUrl, { max: 1 });
  cleanup.defer(() => books.end());
  await expect.poll(async () => (await books<{ is: boolean }[]>`select pg_is_in_recovery() as is`)[0]?.is).toBe(false);

  // The steps of docs/going-live.md, before a process of the product starts.
  await expect(ops('audit')).rejects.toThrow(/audit log: /);
  await ops('audit', '--accept-log', 'restored to an instant');
  expect(await ops('audit')).toMatchObject({ violations: [] });
  await expect(ops('reconcile')).rejects.toThrow(new RegExp(`"missingHere": ?${taken - before}\\b`));
  await ops('sync');
  await ops('debit-run', '--force', '--after-restore');
  await ops('settle');
  expect(await ops('reconcile')).toMatchObject({ missingHere: 0, missingThere: 0, different: 0 });
  expect(await countPayments(product.bank)).toBe(taken);

  await Promise.all([product.start(0), product.start(1)]);
  const load = await keepCalling(product.home, books);
  expect((await load.finish()).failures).toEqual([]);
  await ops('advance', '--days', '4');
  expect(await ops('audit')).toMatchObject({ violations: [] });
  expect(await ops('reconcile')).toMatchObject({ missingHere: 0, missingThere: 0, different: 0 });
});
