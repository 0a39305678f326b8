import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { directEntryBook } from '#features/collections/bank-files/direct-entry-book.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { aDatabase, type TestDatabase } from '#testing/database.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { aClock, aSupporter, forgetEverything, testEncryption } from '#testing/makers.ts';
import { aClearedDebit, balancesOf } from '#testing/money-day.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { someSettings } from '../testing/direct-entry-settings.ts';
import { directEntry } from './index.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  [database, folder] = await Promise.all([aDatabase(), mkdtemp(join(tmpdir(), 'sparechange-files-'))]);
});
afterAll(() => Promise.all([database.drop(), rm(folder, { recursive: true, force: true })]));
beforeEach(() => forgetEverything(database.pool));

test.each(['1234567890', '12345678901', '123456789012'])(
  'a deposit to %s is in no file, is named to the operator with its reason, and stays set aside',
  async (accountNumber) => {
    const [db, clock, collector] = [database.pool, aClock(), fakeDirectDebit()];
    const saver = await aSupporter(db, { savings: true, directDebit: collector });
    const other = await aSupporter(db, { savings: true, directDebit: collector });
    for (const supporter of [saver, other]) await aClearedDebit({ db, clock, directDebit: collector }, supporter, 90);
    const encrypted = testEncryption.encrypt(accountNumber, `supporter ${saver.supporterId} savings account number`);
    await database.rows`
      update savings_accounts set account_number_encrypted = ${encrypted} where supporter_id = ${saver.supporterId}`;
    clock.setTo('2026-11-30T23:30:00Z'); // Tuesday, the first of December
    const book = directEntryBook(db, testEncryption);
    const { files, ...directDebit } = directEntry({
      settings: someSettings(folder),
      book,
      now: clock.now,
      onFileProblem: async () => {},
      onUnreadableOrder: async () => {},
    });
    const run = await depositSavings(paymentDeps(db, clock, directDebit));
    const reason = `the account number has ${accountNumber.length} digits and a bank file takes 9; pay it another way`;
    expect(run).toMatchObject({ deposits: 1, totalCents: 45, refused: [{ cents: 45, reason }] });
    expect((await files.write()).files).toMatchObject([{ kind: 'payout', items: 1, totalCents: 45 }]);
    expect(await balancesOf(db, saver)).toMatchObject({ savings_payable: 45 });
    expect((await auditBooks(db)).violations).toEqual([]);
    await db`truncate direct_entry.entries, direct_entry.files`;
    await rm(folder, { recursive: true, force: true });
  },
);
