import { cents, type ReturnCode } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { completeOnboarding } from '#features/supporters/onboarding/complete-onboarding.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { today } from '#ports/clock.ts';
import { ownDatabase } from '#testing/database.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import {
  aClock,
  aPurchase,
  aSupporter,
  aTenant,
  cleared,
  returned,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { paymentDeps } from '#testing/payment-deps.ts';

const database = ownDatabase();
const clock = aClock();
const directDebit = fakeDirectDebit({ now: () => clock.now() });
const tenants = someTenants(aTenant());

const deps = () => paymentDeps(database.pool, clock, directDebit);
const queued = async ({ supporterId }: TestSupporter) => {
  const rows = await database.rows<{ facts: Record<string, unknown> }[]>`
    select facts from mails where supporter_id = ${supporterId} order by key`;
  return rows.map((row) => row.facts);
};

/** Debits waiting round-ups; returns the newest debit's provider reference. */
async function debited({ supporterId }: TestSupporter): Promise<string> {
  await planDebits(database.pool, clock, tenants, today(clock));
  await submitDebits(deps());
  const [debit] = await database.rows<{ ref: string }[]>`
    select provider_ref as ref from debits where supporter_id = ${supporterId} and provider_ref is not null order by planned_at desc limit 1`;
  return debit?.ref ?? '';
}

const anActiveSupporter = async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter)]);
  return supporter;
};

test('finishing onboarding queues one welcome', async () => {
  const supporter = await aSupporter(database.pool, { roundsFrom: null });
  for (let time = 0; time < 2; time += 1)
    await completeOnboarding(database.pool.of(supporter.supporterId), clock, supporter.supporterId, true);
  expect(await queued(supporter)).toEqual([
    { kind: 'welcome', clubName: 'Riverside Rovers', roundsFrom: '2026-11-01' },
  ]);
  expect(await database.rows`select 1 from mails where is_urgent`).toHaveLength(1); // the supporter waits for it
});

test.each<[ReturnCode, string]>([
  [1, 'change the account'],
  [5, 'change the account'],
  [9, 'change the account'],
  [4, 'change the account'],
  [6, 'asked once more'],
])('a debit returned with code %s is emailed once: %s', async (code, remedy) => {
  const supporter = await anActiveSupporter();
  const ref = await debited(supporter);
  await applyOutcome(deps(), returned(ref, code));
  await applyOutcome(deps(), returned(ref, code));
  expect(await queued(supporter)).toEqual([{ kind: 'debit_returned', debit: 'round-up', amountCents: 70, remedy }]);
});

test('the second return in a row mentions the pause', async () => {
  const supporter = await anActiveSupporter();
  await applyOutcome(deps(), returned(await debited(supporter), 6));
  clock.setTo('2026-11-26T22:00:00Z');
  await applyOutcome(deps(), returned(await debited(supporter), 6));
  expect((await queued(supporter)).map(({ kind }) => kind)).toEqual(['debit_returned', 'paused_after_two_returns']);
});

test.each<[ReturnCode, object[]]>([
  [3, [{ kind: 'debit_reversed', debit: 'round-up', amountCents: 70, remedy: 'change the account' }]],
  [2, [{ kind: 'debit_reversed', debit: 'round-up', amountCents: 70, remedy: 'change the account' }]],
  [6, []],
  [8, []],
])('a debit reversed with code %s after clearing is emailed once if there is something to do', async (code, mails) => {
  const supporter = await anActiveSupporter();
  const ref = await debited(supporter);
  await applyOutcome(deps(), cleared(ref));
  await applyOutcome(deps(), returned(ref, code));
  await applyOutcome(deps(), returned(ref, code));
  expect(await queued(supporter)).toEqual(mails);
  await database.rows`delete from debit_runs where suspended_at is not null`;
});

test('further reversals of an account that accepts no more are not emailed again, nor those of a replaced account', async () => {
  const [supporter, moved] = [await anActiveSupporter(), await anActiveSupporter()];
  const refs = [await debited(supporter), await debited(moved)];
  clock.setTo('2026-11-26T22:00:00Z');
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter)]);
  refs.push(await debited(supporter));
  await database.rows`update accounts set is_funding = false where supporter_id = ${moved.supporterId}`;
  for (const ref of refs) await applyOutcome(deps(), cleared(ref));
  for (const ref of refs) await applyOutcome(deps(), returned(ref, 3));
  expect((await queued(supporter)).map(({ kind }) => kind)).toEqual(['debit_reversed']);
  expect(await queued(moved)).toEqual([]);
});

test('a return with code 8, our own fault, sends the supporter no email', async () => {
  const supporter = await anActiveSupporter();
  await applyOutcome(deps(), returned(await debited(supporter), 8));
  expect(await queued(supporter)).toEqual([]);
  await database.rows`delete from debit_runs where suspended_at is not null`;
});

test('a one-off donation is thanked for when it has arrived; round-ups are not', async () => {
  const supporter = await anActiveSupporter();
  await requestDonation(database.pool.of(supporter.supporterId), clock, tenants, supporter.supporterId, {
    amount: cents(25_00),
    requestId: 'one',
  });
  expect(await queued(supporter)).toEqual([]);
  await debited(supporter);
  for (const { providerRef } of directDebit.taken) await applyOutcome(deps(), cleared(providerRef));
  expect(await queued(supporter)).toEqual([
    { kind: 'donation_received', amountCents: 2500, clubName: 'Riverside Rovers' },
  ]);
});

test('a donation returned with code 6 is not retried, as the email states', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await requestDonation(database.pool.of(supporter.supporterId), clock, tenants, supporter.supporterId, {
    amount: cents(25_00),
    requestId: 'one',
  });
  await applyOutcome(deps(), returned(await debited(supporter), 6));
  expect(await queued(supporter)).toMatchObject([{ debit: 'donation', remedy: 'nothing' }]);
});

test('after the end of the consent nothing is promised about a returned debit, and after closing nothing is emailed', async () => {
  const [ended, closed] = [await anActiveSupporter(), await anActiveSupporter()];
  const refs = [await debited(ended), await debited(closed)];
  await database.rows`
    update supporters set consent_active = false, consent_end = 'expired', consent_ended_on = '2026-11-26'
    where supporter_id in (${ended.supporterId}, ${closed.supporterId})`;
  await database.rows`update supporters set closed_on = '2026-11-26' where supporter_id = ${closed.supporterId}`;
  for (const ref of refs) await applyOutcome(deps(), returned(ref, 6));
  expect(await queued(ended)).toMatchObject([{ debit: 'round-up', remedy: 'nothing' }]);
  expect(await queued(closed)).toEqual([]);
});
