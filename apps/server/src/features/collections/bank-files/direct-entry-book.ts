import type { Pool } from '#db/connect.ts';
import { isDatabaseUnavailable } from '#db/database-answers.ts';
import { awaitSessionLock } from '#db/session-lock.ts';
import type { DirectEntryBook } from '#ports/direct-entry-book.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { entriesSince, findEntries, keepEntries, listWaiting } from './entry-repository.ts';
import * as files from './file-repository.ts';
import { cancelMandate, findMandates, keepMandate } from './mandate-repository.ts';

/** To the adapter, our database is like a hosted provider's server: it may be unavailable. */
const unavailable = (cause: unknown): unknown =>
  isDatabaseUnavailable(cause)
    ? new ProviderUnavailable('The database with the bank files does not answer.', { cause })
    : cause;

async function asked<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw unavailable(error);
  }
}

async function* listed<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw unavailable(error);
  }
}

/** The adapter's memory, in our database (docs/decisions/payments.md#bank-files). */
export const directEntryBook = (db: Pool, encryption: FieldEncryption): DirectEntryBook => ({
  withFilesLocked: (work) => asked(awaitSessionLock(db, 'files for the bank', work)),
  keepMandate: (request, at) => asked(keepMandate(db, encryption, request, at)),
  cancelMandate: (id, at) => asked(cancelMandate(db, id, at)),
  findMandates: (ids) => asked(findMandates(db, encryption, ids)),
  keepEntries: (entries, at) => asked(keepEntries(db, encryption, entries, at)),
  findEntries: (references) => asked(findEntries(db, references)),
  entriesChangedSince: (since) => listed(entriesSince(db, 'changed_at', since)),
  entriesAcceptedSince: (since) => listed(entriesSince(db, 'accepted_at', since)),
  listWaiting: (kind, limit) => asked(listWaiting(db, encryption, kind, limit)),
  clearDue: (day, at) => asked(files.clearDue(db, day, at)),
  countFiles: (kind, processOn) => asked(files.countFiles(db, kind, processOn)),
  keepFile: (file, at) => asked(files.keepFile(db, encryption, file, at)),
  findFile: (name) => asked(files.findFile(db, name)),
  unlodgedFiles: () => listed(files.unlodgedFiles(db, encryption)),
  listDoneFiles: (since) => asked(files.listDoneFiles(db, since)),
  lodgeFile: (name, clearsOn, at) => asked(files.lodgeFile(db, name, clearsOn, at)),
  unlodgeFile: (name, by) => asked(files.unlodgeFile(db, name, by)),
  withdrawFile: (name, reference, at) => asked(files.withdrawFile(db, name, reference, at)),
  keepReturns: (file, returned, at) => asked(files.keepReturns(db, file, returned, at)),
});
