import { randomBytes, randomUUID } from 'node:crypto';
import {
  addDays,
  type BalanceFloor,
  cents,
  type IsoDate,
  isoDate,
  maskAccountNumber,
  noCents,
  type ReturnCode,
  type RoundUpStep,
  sydneyTime,
  type WeeklyLimit,
} from '@sparechange/domain';
import { bucketOf } from '@sparechange/domain/bucket';
import type { TimetableTask } from '@sparechange/domain/timetable';
import pino from 'pino';
import { supporterIdOf } from '#caller.ts';
import type { Db, Pool } from '#db/connect.ts';
import { bucketSchemas, isOfOneBucket } from '#db/scope.ts';
import type { Purchase } from '#features/supporters/round-ups/record-round-ups.ts';
import type { BankTransaction } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit, Outcome, ReturnedOutcome } from '#ports/direct-debit.ts';
import { makeFieldEncryption } from '#secrets/field-encryption.ts';
import { fixedTenants, type Tenant, type Tenants } from '#tenants/load-tenants.ts';
import { citusUrl } from './citus-database.ts';
import { listFilled, listWithPages } from './filled-tables.ts';
import { beginWithoutGuards } from './set-guards-aside.ts';
import { timeOf } from './timetable.ts';

/** Writes nothing. */
export const silentLog = pino({ level: 'silent' });

export const testKey = randomBytes(32);
export const testEncryption = makeFieldEncryption([testKey]);

/** A clock that stands still until it is moved. */
export interface TestClock extends Clock {
  setTo(instant: string | Date): void;
}

/** Wednesday 25 November 2026, 9 am in Sydney, by default. */
export function aClock(instant = '2026-11-24T22:00:00Z'): TestClock {
  let now = new Date(instant);
  return {
    now: () => now,
    setTo: (next) => {
      now = new Date(next);
    },
  };
}

type TimeOfDay = `${number}:${number}`;
const isTask = (time: TimeOfDay | TimetableTask): time is TimetableTask => !time.includes(':');

/** Returns a function that sets the clock of an app, which may be opened later, to a time in Sydney or that of a task. */
export const clockSetter = (app: { clock: TestClock }) => (day: string, time: TimeOfDay | TimetableTask) =>
  app.clock.setTo(isTask(time) ? timeOf(time, day) : sydneyTime(isoDate(day), time));

export function aTenant(settings: Partial<Tenant> = {}): Tenant {
  const key = settings.key ?? 'default';
  const theme = { primary: '#000000', background: '#ffffff', switch: '#47b3b5', body: '#ffffff', secondary: '#47b3b5' };
  return {
    key,
    tenant: key.replaceAll('-', '_'),
    apikey: `apikey-of-tenant-${key}`,
    name: key,
    logoURL: '/logo.svg',
    logoURLDashboard: '/logo.svg',
    biline: { primary: 'Every little helps' },
    theme,
    branding: { primary: '' },
    minimumDebitCents: noCents,
    ...settings,
  };
}

export const someTenants = (...tenants: Tenant[]): Tenants => fixedTenants(tenants);

export interface ClubOverrides {
  id?: string;
  slug?: string;
  name?: string;
  parentId?: string | null;
}

export async function aClub(db: Db, overrides: ClubOverrides = {}): Promise<string> {
  const { id = randomUUID(), slug, name = 'Riverside Rovers', parentId = null } = overrides;
  await db.inControl()`
    insert into clubs (id, slug, name, parent_id) values (${id}, ${slug ?? `club-${id}`}, ${name}, ${parentId})`;
  return id;
}

export interface SupporterOverrides {
  /** True if the address was confirmed. */
  isProven?: boolean;
  uid?: string;
  email?: string;
  tenantKey?: string;
  clubId?: string;
  consentActive?: boolean;
  /** The first day that counts; null before onboarding is finished. */
  roundsFrom?: string | null;
  step?: RoundUpStep;
  weeklyLimit?: WeeklyLimit;
  paused?: boolean;
  /** The floor of the low-balance check; off unless wished. */
  floor?: BalanceFloor;
  /** Savings on, with a linked account. */
  savings?: boolean;
  /** False for a supporter without a tracked and debited account. */
  account?: boolean;
  ceilingCents?: number;
  bankCustomerId?: string;
  providerAccountId?: string;
  /** Where the authority to debit is registered. */
  directDebit?: DirectDebit;
}

export interface TestSupporter {
  supporterId: string;
  uid: string;
  email: string;
  clubId: string;
  bankCustomerId: string;
  account: TestAccount;
}

export interface TestAccount {
  id: string;
  providerAccountId: string;
}

/** Returns uids whose supporters fill each bucket with a number of people, the same ones in every run. */
export function uidsInEachBucket(buckets: number, each: number): string[] {
  const uids = Array.from({ length: 100 }, (_, number) => `person-${number}`);
  return Array.from({ length: buckets }, (_, bucket) =>
    uids.filter((uid) => bucketOf(supporterIdOf(uid), buckets) === bucket).slice(0, each),
  ).flat();
}

/** Returns a new uid; through the handle of a bucket, one whose supporter that bucket holds. */
function newUid(db: Db): string {
  const uid = randomUUID();
  const isElsewhere = isOfOneBucket(db.scope) && db.of(supporterIdOf(uid)).scope.path !== db.scope.path;
  return isElsewhere ? newUid(db) : uid;
}

/** An onboarded, consenting supporter with one tracked and debited account. */
export async function aSupporter(whole: Db, overrides: SupporterOverrides = {}): Promise<TestSupporter> {
  const uid = overrides.uid ?? newUid(whole);
  const supporterId = supporterIdOf(uid);
  const db = whole.of(supporterId);
  const clubId = overrides.clubId ?? (await aClub(db));
  const email = overrides.email ?? `${uid}@example.com`;
  const bankCustomerId = overrides.bankCustomerId ?? `customer-${uid}`;
  const roundsFrom = overrides.roundsFrom === undefined ? '2026-01-01' : overrides.roundsFrom;
  await db`
    insert into supporters (supporter_id, uid, email, first_name, last_name, mobile, tenant_key, club_id, registered_at,
      bank_customer_id, consent_active, onboarded_on, rounds_from, round_up_step, weekly_limit_cents, savings_enabled, balance_floor_cents, email_proven_at)
    values (${supporterId}, ${uid}, ${email}, 'Robin', 'Banks', '0400000000', ${overrides.tenantKey ?? 'default'}, ${clubId},
      '2026-01-01T00:00:00Z', ${bankCustomerId}, ${overrides.consentActive ?? true}, ${roundsFrom}, ${roundsFrom},
      ${overrides.step ?? 100}, ${overrides.weeklyLimit ?? 0}, ${overrides.savings ?? false},
      ${overrides.floor ?? 0}, ${overrides.isProven === false ? null : '2026-01-01T00:00:00Z'})`;
  const account = { id: randomUUID(), providerAccountId: overrides.providerAccountId ?? `bank-account-${uid}` };
  const supporter = { supporterId, uid, email, clubId, bankCustomerId, account };
  if (overrides.account !== false) {
    await anAccount(db, supporter, { ...account, number: '12345678', isFunding: true });
    const { ceilingCents = 1000_00, directDebit } = overrides;
    await aMandate(db, supporter, account, { ceilingCents, ...(directDebit ? { directDebit } : {}) });
  }
  if (overrides.savings) await someSavings(db, supporterId);
  if (overrides.paused) {
    await db`
      insert into pauses (supporter_id, paused_at, paused_on, reason)
      values (${supporterId}, '2026-11-01T00:00:00Z', '2026-11-01', 'supporter')`;
  }
  return supporter;
}

export interface AccountOverrides extends Partial<TestAccount> {
  name?: string;
  number?: string;
  roundUpsOn?: boolean;
  roundUpsFrom?: string | null;
  isFunding?: boolean;
  canFund?: boolean;
  isListed?: boolean;
  unusableSince?: string | null;
}

export async function anAccount(
  db: Db,
  { supporterId }: Pick<TestSupporter, 'supporterId'>,
  overrides: AccountOverrides = {},
): Promise<TestAccount> {
  const id = overrides.id ?? randomUUID();
  const providerAccountId = overrides.providerAccountId ?? `bank-account-${id}`;
  // A number of its own: two of somebody's accounts with the same one would be the same account.
  const bsb = '062000';
  const number = overrides.number ?? `${1_000 + (Number.parseInt(id.slice(0, 6), 16) % 9_000)}5678`;
  await db.of(supporterId)`
    insert into accounts (supporter_id, id, provider_account_id, name, kind, masked_number, bsb_encrypted, account_number_encrypted,
      can_fund, is_listed, round_ups_on, round_ups_from, is_funding, unusable_since)
    values (${supporterId}, ${id}, ${providerAccountId}, ${overrides.name ?? 'Everyday'}, 'transaction', ${maskAccountNumber(number)},
      ${testEncryption.encrypt(bsb, `supporter ${supporterId} bsb`)}, ${testEncryption.encrypt(number, `supporter ${supporterId} account number`)},
      ${overrides.canFund ?? true}, ${overrides.isListed ?? true}, ${overrides.roundUpsOn ?? true}, ${overrides.roundUpsFrom ?? null},
      ${overrides.isFunding ?? false}, ${overrides.unusableSince ?? null})`;
  return { id, providerAccountId };
}

export async function aMandate(
  db: Db,
  { supporterId }: Pick<TestSupporter, 'supporterId'>,
  account: TestAccount,
  { ceilingCents = 1000_00, directDebit }: Pick<SupporterOverrides, 'ceilingCents' | 'directDebit'> = {},
): Promise<string> {
  const id = randomUUID();
  const request = { id, name: 'Robin Banks', email: 'robin@example.com', bsb: '062000', accountNumber: '12345678' };
  const mandateRef = directDebit
    ? await directDebit.createMandate({ ...request, ceiling: cents(ceilingCents) })
    : `mandate-${account.id}`;
  await db.of(supporterId)`
    insert into mandates (supporter_id, id, account_id, terms_version, payer_name, masked_account, tenant,
      ceiling_cents, agreed_at, ip, user_agent, mandate_ref)
    values (${supporterId}, ${id}, ${account.id}, '2026-11-21', 'Robin Banks', 'XXXX5678', 'default', ${ceilingCents},
      '2026-01-01T00:00:00Z', '192.0.2.1', 'a browser', ${mandateRef})`;
  return id;
}

export async function someSavings(db: Db, supporterId: string): Promise<void> {
  await db.of(supporterId)`
    insert into savings_accounts (supporter_id, account_name, masked_number, bsb_encrypted, account_number_encrypted, linked_at)
    values (${supporterId}, 'Holiday', 'XXXX4321', ${testEncryption.encrypt('062000', `supporter ${supporterId} savings bsb`)},
      ${testEncryption.encrypt('87654321', `supporter ${supporterId} savings account number`)}, '2026-01-01T00:00:00Z')`;
}

export interface PurchaseOverrides {
  id?: string;
  day?: string;
  cents?: number;
  description?: string;
  account?: TestAccount;
  endsOn?: string | null;
}

/** A $4.30 coffee on Tuesday 24 November 2026, by default. */
export function aPurchase(supporter: TestSupporter, overrides: PurchaseOverrides = {}): Purchase {
  return {
    supporterId: supporter.supporterId,
    providerAccountId: (overrides.account ?? supporter.account).providerAccountId,
    transactionId: overrides.id ?? randomUUID(),
    day: isoDate(overrides.day ?? '2026-11-24'),
    purchaseCents: cents(overrides.cents ?? 430),
    description: overrides.description ?? `COFFEE ${randomUUID()}`,
    endsOn: (overrides.endsOn ?? null) as IsoDate | null,
  };
}

/** Repays a purchase in full, the next day by default. */
export const aPurchaseRefund = (
  { providerAccountId, day, purchaseCents, description }: Purchase,
  overrides: Partial<BankTransaction> = {},
): BankTransaction => ({
  id: randomUUID(),
  accountId: providerAccountId,
  status: 'posted',
  direction: 'credit',
  kind: 'refund',
  currency: 'AUD',
  amount: cents(purchaseCents),
  description,
  isBillPayment: false,
  day: addDays(day, 1),
  ...overrides,
});

/** Returns the outcome of a debit that cleared. */
export const cleared = (providerRef: string): Outcome => ({
  providerRef,
  state: 'cleared',
  at: new Date('2026-11-27T00:00:00Z'),
});

/** Returns the outcome of a returned debit, with any code. */
export const returned = (providerRef: string, code: ReturnCode): ReturnedOutcome => ({
  ...cleared(providerRef),
  state: 'returned',
  code,
});

/** Empties every table, also those that refuse to be changed: for tests of code that reads everybody's rows. */
export async function forgetEverything(pool: Pool): Promise<void> {
  const schemas = ['public', ...bucketSchemas(pool.scope)];
  const kept = ['migrations', 'product_clock', 'bucket_servers'];
  const filled = await (citusUrl ? listFilled : listWithPages)(pool, schemas, kept);
  if (filled.length === 0) return;
  const emptied = filled.map((name) => `delete from ${name}`); // truncating takes fifty times as long
  await beginWithoutGuards(pool, (tx) => tx.unsafe(emptied.join(';')));
}
