import { randomBytes } from 'node:crypto';
import { cents, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { directEntryBook } from '#features/collections/bank-files/direct-entry-book.ts';
import { exportSupporter } from '#features/supporters/offboarding/export-supporter.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClub, aSupporter, testEncryption, testKey } from '#testing/makers.ts';
import { setBankDetails } from '#testing/money-day.ts';
import { makeFieldEncryption } from './field-encryption.ts';
import { encryptedColumns, reEncryptEverything } from './re-encrypt.ts';

const newKey = randomBytes(32);

const database = ownDatabase();

test('every encrypted column is listed', async () => {
  const rows = await database.rows<{ name: string }[]>`
    select distinct concat_ws('.', substring(table_schema from 'direct_entry'), table_name, column_name) as name
    from information_schema.columns where column_name like '%\\_encrypted' and table_schema <> 'joined' order by 1`;
  const known = encryptedColumns.map(({ table, column }) => `${table}.${column}`);
  const numbersOfClubs = ['clubs.account_number_encrypted', 'remittances.account_number_encrypted'];
  expect([...known, ...numbersOfClubs].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test('after a rotation and re-encryption the new key alone opens everything, and the old one nothing', async () => {
  const { pool, rows } = database;
  const supporter = await aSupporter(pool, { savings: true });
  const clubs = [await aClub(pool), await aClub(pool)];
  for (const [at, club] of clubs.entries()) await setBankDetails(pool, club, `1234567${at}`);
  await rows`
    insert into remittances (club_id, run_date, attempt, amount_cents, account_number_encrypted, reference, planned_at)
    select id, '2026-11-24'::date, 1, 100, account_number_encrypted, 'r', now() from clubs where id = ${clubs[0] ?? ''}
    union all select ${clubs[1] ?? ''}, '2026-11-24'::date, 1, 100, ${testEncryption.encrypt('999', `club ${clubs[1]} account number`)}, 'r', now()`;
  const account = { name: 'Robin Banks', bsb: '062000', accountNumber: '12345678' };
  const order = { orderId: 'o', amount: cents(100), dueOn: isoDate('2026-11-24'), remitter: 'SPARECHANGE' };
  const oldBook = directEntryBook(pool, testEncryption);
  await oldBook.keepMandate({ id: 'm', email: 'robin@example.com', ceiling: cents(100), ...account }, new Date());
  await oldBook.keepEntries(
    ['INFILE', 'WAITING'].map((reference) => ({ reference, kind: 'debit', ...order, account })),
    new Date(),
  );
  const file = { name: 'f.aba', kind: 'debit', processOn: order.dueOn, content: '0 a file', contentHash: 'h' } as const;
  await oldBook.keepFile({ ...file, totalCents: cents(100), references: ['INFILE'] }, new Date());

  expect(await reEncryptEverything(pool, makeFieldEncryption([newKey, testKey]))).toBe(4 + 2 + 3 + 4);

  const encryption = makeFieldEncryption([newKey]);
  const { tables } = await exportSupporter({ db: pool.of(supporter.supporterId), encryption }, supporter.supporterId, {
    withAccountNumbers: true,
  });
  expect(tables.accounts).toMatchObject([{ bsb: '062000', account_number: '12345678' }]);
  expect(tables.savings_accounts).toMatchObject([{ bsb: '062000', account_number: '87654321' }]);
  const book = directEntryBook(pool, encryption);
  expect((await book.findMandates(['m'])).get('m')?.account).toEqual(account);
  expect(await book.listWaiting('debit', 10)).toMatchObject({
    entries: [{ reference: 'WAITING', account }],
    unreadable: [],
  });
  for await (const unlodged of book.unlodgedFiles()) expect(unlodged).toEqual({ name: 'f.aba', content: '0 a file' });
  const numbers = await rows<{ club: string; now: Uint8Array; then: Uint8Array }[]>`
    select club_id as club, clubs.account_number_encrypted as now, remittances.account_number_encrypted as then
    from remittances join clubs on clubs.id = club_id order by clubs.id = ${clubs[1] ?? ''}`;
  const opened = numbers.map(({ club, now, then }) =>
    [now, then].map((encrypted) => encryption.decrypt(encrypted, `club ${club} account number`)),
  );
  expect(opened).toEqual([
    ['12345670', '12345670'],
    ['12345671', '999'],
  ]);
  expect(numbers[0]?.now).toEqual(numbers[0]?.then); // a club that kept its number is still seen to have kept it
  expect(await reEncryptEverything(pool, encryption)).toBe(0);
});

test('a value of a key that is not configured is not passed over', async () => {
  await aSupporter(database.pool);
  await expect(reEncryptEverything(database.pool, makeFieldEncryption([newKey]))).rejects.toThrow(
    'a key that is not configured',
  );
});
