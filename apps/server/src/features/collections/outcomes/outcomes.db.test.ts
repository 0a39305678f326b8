import { cents, isoDate } from '@sparechange/domain';
import { outcomeChanges, paymentStates, reportedOutcomes } from '@sparechange/domain/payment-outcome';
import { expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import type { Outcome } from '#ports/direct-debit.ts';
import { whileRefused } from '#testing/disturbed-buckets.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import {
  aClock,
  aPurchase,
  aSupporter,
  aTenant,
  cleared,
  returned,
  type SupporterOverrides,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { balancesOf } from '#testing/money-day.ts';
import { ownPayments } from '#testing/payment-deps.ts';
import { applyOutcome } from './apply-outcome.ts';
import { pollOutcomes } from './poll-outcomes.ts';

const { database, clock, directDebit, deps } = ownPayments({ isAudited: false });

const tenants = someTenants(aTenant());
const monday = isoDate('2026-11-23');

/** Submits 145 cents; returns the supporter and the provider's reference. */
async function submitted(overrides: SupporterOverrides = {}): Promise<[TestSupporter, string]> {
  const supporter = await aSupporter(database.pool, { ...overrides, directDebit });
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [
    aPurchase(supporter),
    aPurchase(supporter, { cents: 125 }),
  ]);
  await planDebits(database.pool, clock, tenants, monday);
  await submitDebits(deps());
  return [supporter, directDebit.taken.at(-1)?.providerRef ?? ''];
}

const apply = (...outcomes: Outcome[]) =>
  outcomes.reduce(
    async (before, outcome) => [...(await before), await applyOutcome(deps(), outcome)],
    Promise.resolve<string[]>([]),
  );
const balances = (supporter: TestSupporter) => balancesOf(database.pool, supporter);
const states = async ({ supporterId }: TestSupporter) => {
  const rows = await database.rows`select state from debits where supporter_id = ${supporterId} order by run_date`;
  return rows.map((row) => row.state);
};

test('a cleared debit is cash owed to the club', async () => {
  const [supporter, ref] = await submitted();
  expect(await apply(cleared(ref))).toEqual(['cleared']);
  expect(await states(supporter)).toEqual(['cleared']);
  expect(await balances(supporter)).toEqual({ cash: 145, club_payable: 145 });
});

test('half of a cleared debit, rounded down, is set aside for savings', async () => {
  const [supporter, ref] = await submitted({ savings: true });
  await apply(cleared(ref));
  expect(await balances(supporter)).toEqual({ cash: 145, club_payable: 73, savings_payable: 72 });
});

test('a debit cleared twice is cleared once', async () => {
  const [supporter, ref] = await submitted();
  expect(await apply(cleared(ref), cleared(ref))).toEqual(['cleared', 'nothing']);
  expect(await balances(supporter)).toEqual({ cash: 145, club_payable: 145 });
});

test('the same outcome handled by several processes concurrently is applied once', async () => {
  const [supporter, ref] = await submitted();
  const changes = await Promise.all(
    [cleared(ref), cleared(ref), cleared(ref)].map((news) => applyOutcome(deps(), news)),
  );
  expect(changes.toSorted()).toEqual(['cleared', 'nothing', 'nothing']);
  expect(await balances(supporter)).toEqual({ cash: 145, club_payable: 145 });
});

test('a debit returned twice is returned once, and its round-ups are pledged again', async () => {
  const [supporter, ref] = await submitted();
  expect(await apply(returned(ref, 6), returned(ref, 6))).toEqual(['returned', 'nothing']);
  expect(await balances(supporter)).toEqual({ pledged: 145, promised: 145 });
});

test('a debit that is returned after it cleared is reversed, once', async () => {
  const [supporter, ref] = await submitted({ savings: true });
  expect(await apply(cleared(ref), returned(ref, 2), returned(ref, 2))).toEqual(['cleared', 'reversed', 'nothing']);
  expect(await states(supporter)).toEqual(['reversed']);
  expect(await balances(supporter)).toEqual({});
});

test('a cleared outcome that comes after the return is ignored', async () => {
  const [supporter, ref] = await submitted();
  expect(await apply(returned(ref, 6), cleared(ref))).toEqual(['returned', 'nothing']);
  expect(await states(supporter)).toEqual(['returned']);
});

test('pending, unknown and unsubmitted debits are left as they are', async () => {
  const [supporter, ref] = await submitted();
  expect(await apply({ ...cleared(ref), state: 'pending' }, cleared('somebody else'))).toEqual(['nothing', 'nothing']);
  await database.rows`update debits set state = 'submitting'`;
  expect(await apply(cleared(ref))).toEqual(['nothing']);
  expect(await states(supporter)).toEqual(['submitting']);
});

test.each(
  paymentStates.flatMap((state) =>
    reportedOutcomes.map((report) => [state, report, outcomeChanges[state][report]] as const),
  ),
)('a %s debit reported as %s changes to: %s', async (state, report, change) => {
  const [supporter, ref] = await submitted();
  if (state === 'cleared') await apply(cleared(ref));
  else
    await database.rows`
      update debits set state = ${state}::debit_state, deferred_because = ${state === 'deferred' ? 'below floor' : null}
      where supporter_id = ${supporter.supporterId}`;
  expect(await apply(report === 'returned' ? returned(ref, 6) : { ...cleared(ref), state: report })).toEqual([change]);
  expect(await states(supporter)).toEqual([change === 'nothing' ? state : change]);
});

test('a returned one-off donation is no longer promised', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await requestDonation(database.pool.of(supporter.supporterId), clock, tenants, supporter.supporterId, {
    amount: cents(2500),
    requestId: 'a',
  });
  await submitDebits(deps());
  expect(await apply(returned(directDebit.taken[0]?.providerRef ?? '', 6))).toEqual(['returned']);
  expect(await balances(supporter)).toEqual({});
});

test('settling requests outcomes, counts them and reports how many are still open', async () => {
  for (let count = 0; count < 3; count += 1) await submitted();
  const [first, second] = directDebit.taken.map(({ id }) => id);
  directDebit.clear(first ?? '');
  directDebit.return(second ?? '', 6);
  expect(await pollOutcomes(deps())).toEqual({ cleared: 1, returned: 1, pending: 1 });
  expect(await pollOutcomes(deps())).toEqual({ cleared: 0, returned: 0, pending: 1 });
});

test('settling reads the outcomes of the last three days again, and no older ones', async () => {
  const lateClock = aClock();
  const late = fakeDirectDebit({ now: () => lateClock.now() });
  const supporter = await aSupporter(database.pool, { directDebit: late });
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter)]);
  await planDebits(database.pool, clock, tenants, monday);
  await submitDebits({ ...deps(), directDebit: late });
  await pollOutcomes({ ...deps(), directDebit: late });
  lateClock.setTo('2026-11-20T22:00:00Z');
  late.clearAll();
  expect(await pollOutcomes({ ...deps(), directDebit: late })).toMatchObject({ cleared: 0 });
  lateClock.setTo('2026-11-22T22:00:00Z');
  late.clear(late.taken[0]?.id ?? '');
  expect(await pollOutcomes({ ...deps(), directDebit: late })).toMatchObject({ cleared: 1 });
});

test('a short poll reads from an hour before the last one; the next full one reads everything that short ones skipped', async () => {
  const asked: string[] = [];
  const poll = (now: string, isShort = false) => {
    const outcomesSince = (since: Date) => {
      asked.push(since.toISOString());
      return directDebit.outcomesSince(since);
    };
    return pollOutcomes({ ...deps(), clock: aClock(now), directDebit: { ...directDebit, outcomesSince } }, { isShort });
  };
  await poll('2026-11-27T08:00:00Z');
  await poll('2026-11-29T18:30:00Z', true);
  await poll('2026-11-30T01:00:00Z', true);
  await poll('2026-11-30T08:00:00Z');
  expect(asked.slice(1)).toEqual(['2026-11-27T07:00:00.000Z', '2026-11-29T17:30:00.000Z', '2026-11-24T08:00:00.000Z']);
});

test('a debit that cleared before we learned its provider reference is cleared once that is found', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter)]);
  await planDebits(database.pool, clock, tenants, monday);
  directDebit.failNext('time-out after effect');
  await submitDebits(deps());
  directDebit.clearAll();
  const later = { ...deps(), clock: aClock('2026-12-08T22:00:00Z') };
  await pollOutcomes(later);
  await submitDebits(later);
  expect(await pollOutcomes(later)).toMatchObject({ cleared: 1 });
});

test('an outcome that cannot be booked is alarmed once, does not hold up others, and is booked later', async () => {
  const [broken] = await submitted();
  const [sound] = await submitted();
  directDebit.clearAll();
  const bucket = database.pool.of(broken.supporterId);
  await whileRefused(bucket, 'insert on ledger_entries', `new.supporter_id = '${broken.supporterId}'`, async () => {
    for (let time = 0; time < 2; time += 1) await pollOutcomes(deps());
    const ref = directDebit.taken[0]?.providerRef ?? '';
    await expect(applyOutcome(deps(), cleared(ref))).rejects.toThrow('refused');
  });
  expect([await states(broken), await states(sound)]).toEqual([['submitted'], ['cleared']]);
  const alarms = await database.rows`select sentence from alarms where name = 'outcome_not_booked'`;
  expect([...alarms]).toEqual([{ sentence: expect.stringContaining('refused') }]);
  expect(await pollOutcomes(deps())).toMatchObject({ cleared: 1 });
});

test('a reversal that could not be booked is requested until it is, long after polls have read it', async () => {
  const [supporter, ref] = await submitted();
  await apply(cleared(ref));
  directDebit.return(directDebit.taken.at(-1)?.id ?? '', 2);
  const pollAt = (instant: string) => {
    clock.setTo(instant);
    return pollOutcomes(deps());
  };
  await whileRefused(database.pool.of(supporter.supporterId), 'update on debits', 'true', async () => {
    for (const day of ['2026-11-27', '2026-12-04', '2026-12-11']) await pollAt(`${day}T08:00:00Z`);
  });
  expect(await states(supporter)).toEqual(['cleared']);
  expect(await pollAt('2026-12-14T08:00:00Z')).toMatchObject({ returned: 1 });
  expect(await states(supporter)).toEqual(['reversed']);
});
