import type { Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import { fakeBankLink } from './fake-bank-link.ts';
import { testEncryption } from './makers.ts';

/** Makes the dependencies of debits, payouts and their outcomes, with a bank in memory. */
export const paymentDeps = <AnyClock extends Clock, Provider extends DirectDebit>(
  db: Pool,
  clock: AnyClock,
  directDebit: Provider,
) => ({
  db,
  clock,
  directDebit,
  bankLink: fakeBankLink(),
  encryption: testEncryption,
  statementName: 'SPARECHANGE',
  mailFrom: 'Sparechange <hello@sparechange.example>',
});
