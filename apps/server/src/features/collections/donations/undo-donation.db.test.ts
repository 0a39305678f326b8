import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { aSupporter, aTenant, type SupporterOverrides, someTenants, uidsInEachBucket } from '#testing/makers.ts';
import { forgetful, ownPayments } from '#testing/payment-deps.ts';
import { requestDonation, submitDonations, undoableForMs } from './request-donation.ts';
import { undoDonation } from './undo-donation.ts';

const buckets = 4;
// The books are audited after each test.
const { database, clock, directDebit, deps } = ownPayments({ ...forgetful, buckets });
const tenants = someTenants(aTenant());
const gift = { amount: cents(25_00), requestId: 'gift', heldForMs: undoableForMs };

async function aDonation(overrides: SupporterOverrides = {}): Promise<string> {
  const { supporterId } = await aSupporter(database.pool, { ...overrides, directDebit });
  await requestDonation(database.pool.of(supporterId), clock, tenants, supporterId, gift);
  return supporterId;
}
const submit = () => submitDonations({ ...deps(), tenants });
const undo = (supporterId: string) => undoDonation(database.pool.of(supporterId), clock, supporterId, 'gift');
const passes = (ms: number) => clock.setTo(new Date(clock.now().getTime() + ms).toISOString());
const states = async () => (await database.rows`select state, refusal from debits`).map((row) => ({ ...row }));
const undone = { state: 'refused', refusal: 'undone by the supporter' };

test('in every bucket a donation is not submitted until ten minutes have passed, and then once, unless it is undone', async () => {
  const givers: string[] = [];
  for (const uid of uidsInEachBucket(buckets, 1)) givers.push(await aDonation({ uid }));
  expect(await submit()).toMatchObject({ submitted: 0 });
  passes(undoableForMs - 1);
  expect(await submit()).toMatchObject({ submitted: 0 });
  await undo(givers.at(-1) ?? '');
  passes(1);
  expect(await submit()).toMatchObject({ submitted: 3, totalCents: 75_00 });
  expect(await submit()).toMatchObject({ submitted: 0 });
});

test('an undone donation is never submitted, its promise ends, and undoing again changes nothing', async () => {
  const supporterId = await aDonation();
  passes(undoableForMs - 1);
  await undo(supporterId);
  await undo(supporterId);
  passes(undoableForMs);
  expect(await submit()).toMatchObject({ submitted: 0 });
  expect(await states()).toEqual([undone]);
  const left = await database.rows`
    select account, sum(cents)::int as cents from ledger_entries group by account having sum(cents) <> 0`;
  expect([...left]).toEqual([]);
  const [{ count } = {}] = await database.rows`
    select count(*)::int as count from audit_log where action = 'donation undone'`;
  expect(count).toBe(1);
});

test('repeating the request of an undone donation gives nothing', async () => {
  const supporterId = await aDonation();
  await undo(supporterId);
  expect(await requestDonation(database.pool.of(supporterId), clock, tenants, supporterId, gift)).toBe(
    'already planned',
  );
  expect(await states()).toEqual([undone]);
});

test('after ten minutes a donation can be undone as long as it waits, and not once submitted', async () => {
  const [waiting, supporterId] = [await aDonation(), await aDonation()];
  await database.rows`update supporters set consent_active = false where supporter_id = ${waiting}`;
  passes(undoableForMs);
  expect(await submit()).toMatchObject({ submitted: 1 });
  await undo(waiting);
  await expect(undo(supporterId)).rejects.toMatchObject({ code: 'conflict' });
  expect((await states()).map(({ state }) => state).toSorted()).toEqual(['refused', 'submitted']);
});

test('a donation that does not exist cannot be undone', async () => {
  const { supporterId } = await aSupporter(database.pool, { directDebit });
  await expect(undo(supporterId)).rejects.toMatchObject({ code: 'not-found' });
});

test('a donation undone and submitted at the same moment, at any hour, is either undone or submitted', async () => {
  let submitted = 0;
  for (const ms of [undoableForMs - 1, undoableForMs]) {
    const supporterId = await aDonation();
    passes(ms);
    await Promise.allSettled([undo(supporterId), submit(), undo(supporterId), submit()]);
    const [{ state } = {}] = await database.rows<{ state: string }[]>`
      select state from debits where supporter_id = ${supporterId}`;
    expect(ms < undoableForMs ? ['refused'] : ['refused', 'submitted']).toContain(state);
    if (state === 'submitted') submitted += 1;
  }
  expect(directDebit.taken).toHaveLength(submitted);
});

test('an unresponsive provider leaves an undone donation undone', async () => {
  const [first] = [await aDonation(), await aDonation()];
  await undo(first);
  passes(undoableForMs);
  directDebit.failNext('time-out after effect');
  expect(await submit()).toMatchObject({ unknown: 1 });
  expect(await submit()).toMatchObject({ submitted: 1 });
  expect((await states()).map(({ state }) => state).toSorted()).toEqual(['refused', 'submitted']);
});
