import type { Config } from '#config/config.ts';
import type { PaymentProvider } from '#config/direct-entry.ts';
import type { Pool } from '#db/connect.ts';
import { directEntryBook } from '#features/collections/bank-files/direct-entry-book.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import type { BankFiles } from '#ports/bank-files.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import type { FileProblem } from '#providers/direct-entry/bank-files.ts';
import { directEntry } from '#providers/direct-entry/index.ts';
import { type ZeptoOptions, zeptoDirectDebit } from '#providers/zepto/index.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { listensAt, type Probe, takesFiles } from '#telemetry/dependency-health.ts';

export interface Payments {
  directDebit: DirectDebit;
  /** Where payments go, for `ops status`. */
  directDebitAddress: string;
  directDebitProbe: Probe;
  /** Operator's commands for bank files; absent with other providers. */
  bankFiles?: BankFiles;
}

export interface PaymentParts {
  config: Config;
  db: Pool;
  encryption: FieldEncryption;
  now: () => Date;
  log: AlarmDeps['log'];
  /** Returns what each client of an outside service is given. */
  outgoing(service: string, callsPerSecond: number | undefined): Partial<ZeptoOptions>;
}

/** Every value of PAYMENTS and how its provider is opened. */
const providers: Record<PaymentProvider, (parts: PaymentParts) => Payments> = {
  zepto: ({ config: { zepto }, outgoing }) => ({
    directDebit: zeptoDirectDebit({ ...zepto, ...outgoing('zepto', zepto.callsPerSecond) }),
    directDebitAddress: zepto.apiUrl,
    directDebitProbe: listensAt(zepto.apiUrl),
  }),
  'direct-entry': ({ config: { directEntry: settings }, db, encryption, now, log }) => {
    const deps = { db, clock: { now }, log };
    const onFileProblem = ({ name, problem }: FileProblem) =>
      raiseAlarm(deps, {
        name: 'bank_file_not_lodged',
        about: name,
        sentence: problem.message,
        see: { page: 'Bank files' },
      });
    const onUnreadableOrder = (reference: string) =>
      raiseAlarm(deps, {
        name: 'bank_order_unreadable',
        about: reference,
        sentence: `The account of ${reference} cannot be decrypted with the configured keys: it is left out of bank files until its key is restored. All others are included.`,
        see: { page: 'Payments', reference },
      });
    const book = directEntryBook(db, encryption);
    const { files, ...directDebit } = directEntry({ settings, book, now, onFileProblem, onUnreadableOrder });
    return {
      directDebit,
      directDebitAddress: `bank files in ${settings.folder}`,
      directDebitProbe: takesFiles(settings.folder),
      bankFiles: files,
    };
  },
};

/** Opens the payment provider that PAYMENTS names, known only here. */
export const openPayments = (parts: PaymentParts): Payments => providers[parts.config.payments](parts);
