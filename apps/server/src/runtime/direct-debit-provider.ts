import type { Config } from '#config/config.ts';
import type { Pool } from '#db/connect.ts';
import { directEntryBook } from '#features/bank-files/direct-entry-book.ts';
import type { BankFiles } from '#ports/bank-files.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import { directEntry } from '#providers/direct-entry/index.ts';
import { type ZeptoOptions, zeptoDirectDebit } from '#providers/zepto/index.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';

export interface Payments {
  directDebit: DirectDebit;
  /** Operator's commands for bank files; absent with other providers. */
  bankFiles?: BankFiles;
}

/** Opens the payment provider that PAYMENTS names, known only here. */
export function openPayments(
  config: Config,
  { db, encryption, now, ...zepto }: { db: Pool; encryption: FieldEncryption; now: () => Date } & Partial<ZeptoOptions>,
): Payments {
  if (config.payments === 'zepto') return { directDebit: zeptoDirectDebit({ ...config.zepto, ...zepto, now }) };
  const { files, ...directDebit } = directEntry({
    settings: config.directEntry,
    book: directEntryBook(db, encryption),
    now,
  });
  return { directDebit, bankFiles: files };
}
