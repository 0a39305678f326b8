import { cents, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { resumeRuns, suspendRuns } from '#features/collections/debits/suspended-runs.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { aPurchase, aSupporter, aTenant, someTenants } from '#testing/makers.ts';
import { forgetful, ownPayments } from '#testing/payment-deps.ts';
import { requestDonation, submitDonations } from './request-donation.ts';

const { database, clock, directDebit, deps } = ownPayments(forgetful);
const tenants = someTenants(aTenant());

const submit = () => submitDonations({ ...deps(), tenants });

/** A supporter who has just asked to give $25. */
async function anActiveSupporter() {
  const supporter = await aSupporter(database.pool, { directDebit });
  const gift = { amount: cents(25_00), requestId: 'gift' };
  await requestDonation(database.pool.of(supporter.supporterId), clock, tenants, supporter.supporterId, gift);
  return supporter;
}

test('a donation is submitted on any day, without round-ups that a debit day has left behind', async () => {
  const supporter = await anActiveSupporter();
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter)]);
  await planDebits(database.pool, clock, tenants, isoDate('2026-11-25'));
  expect(await submit()).toMatchObject({ submitted: 1, totalCents: 25_00 });
  expect(directDebit.taken).toMatchObject([{ amount: 25_00 }]);
});

test('a donation without a conclusive answer does not hold up others, and is retried the next time', async () => {
  await anActiveSupporter();
  await anActiveSupporter();
  directDebit.failNext('time-out after effect');
  expect(await submit()).toMatchObject({ submitted: 1, unknown: 1 });
  expect(await submit()).toMatchObject({ submitted: 1, unknown: 0 });
  expect(directDebit.taken).toHaveLength(2);
});

test('an unresponsive provider stops the submission without failing the job, and the rest goes with the next one', async () => {
  for (let count = 0; count < 20; count += 1) await anActiveSupporter();
  directDebit.neverAnswer(() => true);
  expect(await submit()).toMatchObject({ submitted: 0, stopped: expect.stringContaining('no conclusive answer') });
  directDebit.neverAnswer(() => false);
  clock.setTo('2026-11-25T22:00:00Z');
  expect(await submit()).toMatchObject({ submitted: 20, unknown: 0 });
});

test.each([
  ['by the minute', (all: Tenants) => submitDonations({ ...deps(), tenants: all })],
  ['by a run', (all: Tenants) => runDebits({ ...deps(), tenants: all })],
])('a donation whose campaign ended before it was submitted is refused %s, and its donor emailed', async (_how, go) => {
  clock.setTo('2026-11-24T12:55:00Z'); // five minutes before midnight
  const { supporterId } = await anActiveSupporter();
  clock.setTo('2026-11-24T13:05:00Z');
  expect(await go(someTenants(aTenant({ endsOn: '2026-11-25' })))).toMatchObject({ submitted: 0 });
  expect(directDebit.taken).toEqual([]);
  expect([...(await database.rows`select state, refusal from debits`)]).toEqual([
    { state: 'refused', refusal: 'the campaign has ended' },
  ]);
  const mails = await database.rows`select supporter_id as id, facts ->> 'kind' as kind from mails`;
  expect([...mails]).toEqual([{ id: supporterId, kind: 'donation_refused' }]);
});

test('while debiting is suspended donations wait, and the job does not fail', async () => {
  await anActiveSupporter();
  await suspendRuns(database.pool, clock, { runDate: isoDate('2026-11-25') }, 'a test');
  expect(await submit()).toBeUndefined();
  expect(directDebit.taken).toEqual([]);
  await resumeRuns(database.pool, clock);
  expect(await submit()).toMatchObject({ submitted: 1 });
});
