import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReturnCode } from '@sparechange/domain';

import { directEntryBook } from '#features/collections/bank-files/direct-entry-book.ts';
import type { DirectEntryBook } from '#ports/direct-entry-book.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import { ownDatabase } from '#testing/database.ts';
import { testEncryption } from '#testing/makers.ts';
import { describeDirectDebit } from '../../ports/direct-debit.suite.ts';
import { someSettings } from '../testing/direct-entry-settings.ts';
import { aReturnsFile, type TestReturn } from '../testing/returns-file.ts';
import { type AbaDetail, decodeAba } from './aba.ts';
import { directEntry } from './index.ts';

const database = ownDatabase();

/** A book that may fail or lose its next answer. */
function faulty(book: DirectEntryBook) {
  const faults: ('before effect' | 'after effect')[] = [];
  const state = { isUnreachable: false };
  const reach = () => {
    if (state.isUnreachable) throw new ProviderUnavailable('The database does not answer.');
  };
  const faultyBook: DirectEntryBook = {
    ...book,
    keepMandate: async (...given) => {
      reach();
      return book.keepMandate(...given);
    },
    findEntries: async (references) => {
      reach();
      return book.findEntries(references);
    },
    clearDue: async (...given) => {
      reach();
      return book.clearDue(...given);
    },
    keepEntries: async (...given) => {
      const fault = faults.shift();
      if (fault === 'before effect') throw new ProviderUnavailable(fault);
      const kept = await book.keepEntries(...given);
      if (fault === 'after effect') throw new ProviderUnavailable(fault);
      return kept;
    },
  };
  return { book: faultyBook, faults, state };
}

async function aBank() {
  await database.rows`truncate direct_entry.entries, direct_entry.files, direct_entry.mandates, direct_entry.returns_files`;
  const folder = await mkdtemp(join(tmpdir(), 'sparechange-files-'));
  let at = new Date('2026-11-18T01:00:00Z');
  const now = () => at;
  const { book, faults, state } = faulty(directEntryBook(database.pool, testEncryption));
  const directDebit = directEntry({
    settings: someSettings(folder),
    book,
    now,
    onFileProblem: async () => {},
    onUnreadableOrder: async () => {},
  });
  const armed: { kind: 'debit' | 'payout'; code: ReturnCode }[] = [];

  /** The bank's copies; ours leave the outbox once cleared. */
  const copies = new Map<string, AbaDetail[]>();

  /** Reads the bank's lines from the files, without balancing ones. */
  const filed = async () => {
    await directDebit.files.write();
    for (const name of (await readdir(folder)).toSorted()) {
      copies.set(name, decodeAba(await readFile(join(folder, name), 'utf8')).details);
    }
    return [...copies.values()].flat().filter(({ account }) => account !== '123456');
  };
  let date = 0;
  const sendReturns = async (returns: TestReturn[]) => {
    date += 1;
    await directDebit.files.readReturns(
      `returns-${date}`,
      aReturnsFile(returns, `${String(date).padStart(2, '0')}1226`),
    );
  };
  const referenceOf = (providerRef: string) => providerRef.replace(/^D[DC]\./, '');

  return {
    directDebit,
    now,
    settle: async () => {
      const details = await filed();
      for (const name of await readdir(folder)) await directDebit.files.markLodged(name);
      const returns = armed.splice(0).flatMap(({ kind, code }) => {
        const detail = details.find((each) => each.code === (kind === 'debit' ? 13 : 50));
        return detail ? [{ reference: detail.reference, code, amountCents: detail.amount }] : [];
      });
      if (returns.length > 0) await sendReturns(returns);
      at = new Date(at.getTime() + 7 * 86_400_000);
    },
    returnNext: async (kind: 'debit' | 'payout', code: ReturnCode) => void armed.push({ kind, code }),
    returnLate: async (providerRef: string, code: ReturnCode) => {
      const detail = (await book.findEntries([referenceOf(providerRef)])).get(referenceOf(providerRef));
      await sendReturns([{ reference: referenceOf(providerRef), code, amountCents: detail?.amount ?? 0 }]);
    },
    timeOut: async (when: 'before effect' | 'after effect') => void faults.push(when),
    taken: async () => (await filed()).map(({ reference, amount }) => ({ reference, amount: Number(amount) })),
    breakDown: async () => {
      state.isUnreachable = true;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

describeDirectDebit('direct entry, with a bank that reads its files', aBank);
