import { addDays, isoDate, sydneyTime } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import type { ConsentRunDeps } from '#features/supporters/offboarding/run-consents.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { today } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { aDatabase, type TestDatabase } from '#testing/database.ts';
import { type FakeBankLink, fakeBankLink } from '#testing/fake-bank-link.ts';
import { type FakeDirectDebit, fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import {
  aClock,
  aPurchase,
  aSupporter,
  aTenant,
  type SupporterOverrides,
  someTenants,
  type TestClock,
  type TestSupporter,
  testEncryption,
} from '#testing/makers.ts';

/** A database with the bank and the debit provider in memory, and days that pass, for tests of a consent's states. */
export interface ConsentLifecycle extends ConsentRunDeps {
  database: TestDatabase;
  rows: Pool;
  encryption: FieldEncryption;
  clock: TestClock;
  bankLink: FakeBankLink;
  directDebit: FakeDirectDebit;
  callsInFlight: number;
  /** Sets 3 am, this many days after 25 November 2026. */
  goToDay(day: number): void;
  /** Creates a supporter with a consent for a year from day 0 and a funding account. */
  supporter(overrides?: SupporterOverrides): Promise<TestSupporter>;
  /** Records a purchase of today with that spare change. */
  buys(supporter: TestSupporter, cents: number): Promise<void>;
  /** Debits everything recorded; returns our id of the supporter's debit. */
  debits(supporter: TestSupporter): Promise<string>;
  kindsMailed(supporter: TestSupporter): Promise<string[]>;
}

export async function aConsentLifecycle(): Promise<ConsentLifecycle> {
  const database = await aDatabase();
  const clock = aClock('2026-11-24T16:00:00Z');
  const now = () => clock.now();
  const bankLink = fakeBankLink({ now });
  const directDebit = fakeDirectDebit({ now });
  const tenants = someTenants(aTenant(), aTenant({ key: 'ended', endsOn: '2027-01-01' }));
  const { pool: db, rows } = database;
  return {
    database,
    db,
    rows,
    clock,
    bankLink,
    directDebit,
    tenants,
    encryption: testEncryption,
    graceDays: 30,
    callsInFlight: 32,
    goToDay: (day) => clock.setTo(sydneyTime(addDays(isoDate('2026-11-25'), day), '03:00').toISOString()),
    supporter: async (overrides = {}) => {
      const person = { email: 'robin@example.com', mobile: '0400000000', firstName: 'Robin', lastName: 'Banks' };
      const bankCustomerId = await bankLink.createCustomer(person);
      bankLink.connect(bankCustomerId);
      const [account] = await bankLink.listAccounts(bankCustomerId);
      const providerAccountId = account?.id ?? '';
      const supporter = await aSupporter(db, { bankCustomerId, providerAccountId, directDebit, ...overrides });
      const expiresAt = new Date(now().getTime() + 365 * 86_400_000);
      await rows`
        update supporters set consent_expires_at = ${expiresAt} where supporter_id = ${supporter.supporterId} and consent_active`;
      return supporter;
    },
    buys: async (supporter, cents) => {
      await recordRoundUps(db.of(supporter.supporterId), now(), [
        aPurchase(supporter, { day: today(clock), cents: 500 - cents }),
      ]);
    },
    debits: async ({ supporterId }) => {
      await planDebits(db, clock, tenants, today(clock));
      await submitDebits({ db, clock, tenants, directDebit, bankLink: fakeBankLink(), statementName: 'SPARECHANGE' });
      const [debit] = await rows<{ id: string }[]>`
        select id from debits where supporter_id = ${supporterId} order by run_date desc, planned_at desc limit 1`;
      return debit?.id ?? '';
    },
    kindsMailed: async ({ supporterId }) => {
      const mails = await rows<{ kind: string }[]>`
        select facts->>'kind' as kind from mails where supporter_id = ${supporterId} order by queued_at, key`;
      return mails.map(({ kind }) => kind);
    },
  };
}
