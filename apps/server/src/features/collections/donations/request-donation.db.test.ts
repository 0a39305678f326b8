import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { ownDatabase } from '#testing/database.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import {
  aClock,
  aClub,
  aSupporter,
  aTenant,
  type SupporterOverrides,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { untilWaiting } from '#testing/waiting.ts';
import { requestDonation } from './request-donation.ts';

const database = ownDatabase();

const clock = aClock();
const directDebit = fakeDirectDebit({ now: () => clock.now() });
const endedClub = '11111111-1111-4111-8111-111111111111';
const tenants = someTenants(aTenant(), aTenant({ key: 'ended', endsOn: '2026-11-25', clubID: endedClub }));
const aSupporterWith = (overrides: SupporterOverrides = {}) => aSupporter(database.pool, { directDebit, ...overrides });
const donate = ({ supporterId }: TestSupporter, amount: number, requestId: string) =>
  requestDonation(database.pool.of(supporterId), clock, tenants, supporterId, { amount: cents(amount), requestId });
const debits = async ({ supporterId }: TestSupporter) => {
  const rows = await database.rows`
    select run_date, kind, attempt, amount_cents, savings_cents, club_id, request_id, state from debits
    where supporter_id = ${supporterId} order by attempt`;
  return [...rows];
};

test('a one-off donation is one debit, entirely for the club, planned immediately', async () => {
  const supporter = await aSupporterWith({ savings: true });
  expect(await donate(supporter, 25_01, 'one')).toBe('planned');
  expect(await debits(supporter)).toEqual([
    {
      run_date: '2026-11-25',
      kind: 'donation',
      attempt: 1,
      amount_cents: 2501,
      savings_cents: 0,
      club_id: supporter.clubId,
      request_id: 'one',
      state: 'planned',
    },
  ]);
  const entries = await database.rows`
    select kind, account, cents, uuid_extract_version(source) as version from ledger_entries
    where supporter_id = ${supporter.supporterId} order by account`;
  expect([...entries]).toEqual([
    { kind: 'donation', account: 'pledged', cents: 2501, version: 7 },
    { kind: 'donation', account: 'promised', cents: -2501, version: 7 },
  ]);
});

test('the same request again is the same donation', async () => {
  const supporter = await aSupporterWith();
  await donate(supporter, 25_00, 'one');
  expect(await donate(supporter, 25_00, 'one')).toBe('already planned');
  expect(await debits(supporter)).toHaveLength(1);
});

test('pressing Submit several times in parallel makes one donation', async () => {
  const supporter = await aSupporterWith();
  const answers = await Promise.all(Array.from({ length: 5 }, () => donate(supporter, 25_00, 'one')));
  expect(answers.toSorted()).toEqual([...Array(4).fill('already planned'), 'planned']);
  expect(await debits(supporter)).toHaveLength(1);
});

test('the same request with another amount is refused and changes nothing', async () => {
  const supporter = await aSupporterWith();
  await donate(supporter, 25_00, 'one');
  await expect(donate(supporter, 26_00, 'one')).rejects.toMatchObject({ code: 'invalid-input' });
  expect(await debits(supporter)).toMatchObject([{ amount_cents: 2500 }]);
});

test('several donations of a day are several debits, also in parallel', async () => {
  const supporter = await aSupporterWith();
  await Promise.all(['a', 'b', 'c'].map((requestId) => donate(supporter, 10_00, requestId)));
  expect(await debits(supporter)).toMatchObject([{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }]);
});

test('two supporters may use the same request id', async () => {
  const supporters = [await aSupporterWith(), await aSupporterWith()];
  for (const supporter of supporters) expect(await donate(supporter, 10_00, 'one')).toBe('planned');
});

test('a donation is submitted with the next submission, also while round-ups are paused', async () => {
  const supporter = await aSupporterWith({ paused: true });
  await donate(supporter, 25_00, 'one');
  await submitDebits(paymentDeps(database.pool, clock, directDebit));
  expect(await debits(supporter)).toMatchObject([{ state: 'submitted' }]);
});

test.each<[string, SupporterOverrides]>([
  ['without an active consent', { consentActive: false }],
  ['without a funding account', { account: false }],
])('%s a donation is refused', async (_what, overrides) => {
  const supporter = await aSupporterWith(overrides);
  await expect(donate(supporter, 25_00, 'one')).rejects.toMatchObject({ code: 'conflict' });
  expect(await debits(supporter)).toEqual([]);
});

test('a donation requested while the consent is being withdrawn is refused', async () => {
  const supporter = await aSupporterWith();
  const { supporterId } = supporter;
  const db = database.pool.of(supporterId);
  let asked: Promise<unknown> = Promise.resolve();
  await db.begin(async (tx) => {
    await tx`select from supporters where supporter_id = ${supporterId} for no key update`;
    asked = donate(supporter, 25_00, 'one').catch((error: unknown) => error);
    await untilWaiting(database.pool);
    await tx`
      update supporters set consent_active = false, consent_end = 'withdrawn', consent_ended_on = '2026-11-25'
      where supporter_id = ${supporterId}`;
  });
  expect(await asked).toMatchObject({ code: 'conflict' });
  expect(await debits(supporter)).toEqual([]);
});

test.each(['unusable_since', 'is_listed'])(
  'from an account that takes no debits (%s) a donation is refused',
  async (column) => {
    const supporter = await aSupporterWith();
    const { rows } = database;
    const { id } = supporter.account;
    if (column === 'is_listed') await rows`update accounts set is_listed = false where id = ${id}`;
    else await rows`update accounts set unusable_since = '2026-11-20' where id = ${id}`;
    await expect(donate(supporter, 25_00, 'one')).rejects.toMatchObject({ code: 'conflict' });
  },
);

test('after the campaign has ended a donation is refused', async () => {
  const supporter = await aSupporterWith({ tenantKey: 'ended' });
  await expect(donate(supporter, 25_00, 'one')).rejects.toMatchObject({ code: 'campaign-ended' });
});

test('a donation to the club of an ended campaign is refused through every tenant', async () => {
  const supporter = await aSupporterWith({ clubId: await aClub(database.pool, { id: endedClub }) });
  await expect(donate(supporter, 25_00, 'one')).rejects.toMatchObject({ code: 'campaign-ended' });
});
