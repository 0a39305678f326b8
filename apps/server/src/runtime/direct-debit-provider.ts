import type { Config } from '#config/config.ts';
import type { Pool } from '#db/connect.ts';
import { directEntryBook } from '#features/collections/bank-files/direct-entry-book.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { type ConnectedPayments, connectPayments, type Outgoing } from '#providers/registry.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { listensAt, type Probe, takesFiles } from '#telemetry/dependency-health.ts';

export interface Payments extends Omit<ConnectedPayments, 'needs'> {
  directDebitProbe: Probe;
}

export interface PaymentParts {
  config: Config;
  db: Pool;
  encryption: FieldEncryption;
  now: () => Date;
  log: AlarmDeps['log'];
  outgoing: Outgoing;
}

/** Opens the payment provider that PAYMENTS names. */
export function openPayments({ config, db, encryption, now, log, outgoing }: PaymentParts): Payments {
  const deps = { db, clock: { now }, log };
  const { needs, ...payments } = connectPayments[config.payments](config, {
    outgoing,
    now,
    book: directEntryBook(db, encryption),
    onFileProblem: ({ name, problem }) =>
      raiseAlarm(deps, {
        name: 'bank_file_not_lodged',
        about: name,
        sentence: problem.message,
        see: { page: 'Bank files' },
      }),
    onUnreadableOrder: (reference) =>
      raiseAlarm(deps, {
        name: 'bank_order_unreadable',
        about: reference,
        sentence: `The account of ${reference} cannot be decrypted with the configured keys: it is left out of bank files until its key is restored. All others are included.`,
        see: { page: 'Payments', reference },
      }),
  });
  return { ...payments, directDebitProbe: 'folder' in needs ? takesFiles(needs.folder) : listensAt(needs.address) };
}
