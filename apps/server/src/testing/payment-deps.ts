import type { Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import { fakeBankLink } from './fake-bank-link.ts';
import { testEncryption } from './makers.ts';

/** What debits, payouts and their outcomes need, with a bank in memory. */
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
