import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cents, isoDate } from '@sparechange/domain';
import pino from 'pino';
import { expect, test } from 'vitest';
import { parseConfig } from '#config/config.ts';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClock, testEncryption } from '#testing/makers.ts';
import { openPayments } from './direct-debit-provider.ts';

const database = ownDatabase();

test('an order whose account cannot be decrypted is in no file, is alarmed once, and does not hold back others', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sparechange-unreadable-'));
  const config = parseConfig({ DATA_DIR: dataDir, PAYMENTS: 'direct-entry' });
  const [clock, log] = [aClock(), pino({ level: 'silent' })];
  const parts = { config, db: database.pool, encryption: testEncryption, now: clock.now, log, outgoing: () => ({}) };
  const { directDebit, bankFiles } = openPayments(parts);
  const payee = { name: 'Joan Smith', email: 'joan@example.com', bsb: '062000', accountNumber: '12345678' };
  const order = { ...payee, amount: cents(1250), dueOn: isoDate('2026-11-25') };
  for (const reference of ['SV01', 'SV02']) await directDebit.submitPayouts([{ ...order, id: reference, reference }]);
  const [{ encrypted } = { encrypted: undefined }] = await database.rows<{ encrypted: Uint8Array }[]>`
    update direct_entry.entries set account_encrypted = '\\x00' where reference = 'SV01' returning old.account_encrypted as encrypted`;
  expect(await bankFiles?.write()).toMatchObject({ files: [{ items: 1, totalCents: 1250 }], unreadable: ['SV01'] });
  expect(await bankFiles?.write()).toMatchObject({ files: [], unreadable: ['SV01'] });
  const alarms = await database.rows`select name, about from alarms`;
  expect([...alarms]).toEqual([{ name: 'bank_order_unreadable', about: 'SV01' }]);
  await database.rows`update direct_entry.entries set account_encrypted = ${encrypted ?? null} where reference = 'SV01'`;
  expect(await bankFiles?.write()).toMatchObject({ files: [{ items: 1 }], unreadable: [] });
  await database.rows`truncate direct_entry.entries, direct_entry.files, alarms`;
  await rm(dataDir, { recursive: true });
});

test('a bank file that somebody has altered is alarmed once, and outcomes are collected all the same', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sparechange-altered-'));
  const config = parseConfig({
    DATA_DIR: dataDir,
    PAYMENTS: 'direct-entry',
    DIRECT_ENTRY_LODGING: 'when-written',
  });
  const [clock, log, db] = [aClock(), pino({ level: 'silent' }), database.pool];
  const { directDebit, bankFiles } = openPayments({
    config,
    db,
    encryption: testEncryption,
    now: clock.now,
    log,
    outgoing: () => ({}),
  });
  const payee = { name: 'Joan Smith', email: 'joan@example.com', bsb: '062000', accountNumber: '12345678' };
  const order = { id: 'order-1', ...payee, amount: cents(1250), reference: 'SV1', dueOn: isoDate('2026-11-25') };
  await directDebit.submitPayouts([order]);
  const { folder = '', files: [{ name = '' } = {}] = [] } = (await bankFiles?.write()) ?? {};
  // The process ended before it noted that the bank has the file.
  await database.rows`update direct_entry.files set lodged_at = null, clears_on = null`;
  await writeFile(join(folder, name), (await readFile(join(folder, name), 'utf8')).replace('1250', '1251'));
  const deps = { db, clock, directDebit, log };
  for (let time = 0; time < 2; time += 1) expect(await pollOutcomes(deps)).toMatchObject({ cleared: 0 });
  expect(await readdir(folder)).toEqual([name]);
  const alarms = await database.rows`select name, about from alarms`;
  expect([...alarms]).toEqual([{ name: 'bank_file_not_lodged', about: name }]);
  await rm(dataDir, { recursive: true });
});
