import { expect, test } from 'vitest';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import { whileRefused } from '#testing/disturbed-buckets.ts';
import type { FakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { aClub, aSupporter } from '#testing/makers.ts';
import { aClearedDebit, setBankDetails } from '#testing/money-day.ts';
import { ownPayments } from '#testing/payment-deps.ts';
import { reconcilePayments } from './reconcile-payments.ts';

const { database, clock, directDebit, deps } = ownPayments({ isAudited: false });

const reconcile = () => reconcilePayments(deps());

/** Creates a cleared debit and a submitted remittance and deposit. */
async function someMoney(): Promise<void> {
  const clubId = await aClub(database.pool);
  await setBankDetails(database.pool, clubId, '12345678');
  const supporter = await aSupporter(database.pool, { clubId, directDebit, savings: true });
  await aClearedDebit(deps(), supporter, 91);
  directDebit.clearAll();
  clock.setTo('2026-11-30T23:30:00Z');
  await remitToClubs(deps());
  await depositSavings(deps());
}

const agreed = { missingHere: 0, missingThere: 0, behind: 0, parked: 0, different: 0, differences: [] };

test('debits, deposits and remittances of both sides match', async () => {
  await someMoney();
  expect(await reconcile()).toEqual({ ...agreed, matched: 3 });
  expect(await reconcile()).toEqual({ ...agreed, matched: 3 });
});

test('a payment that the provider has settled and not reported yet is behind, and matches afterwards', async () => {
  await someMoney();
  directDebit.clearAll();
  expect(await reconcile()).toMatchObject({ matched: 1, behind: 2, missingHere: 0, missingThere: 0, different: 0 });
  await pollOutcomes(deps());
  expect(await reconcile()).toEqual({ ...agreed, matched: 3 });
});

test('a reversal is behind as long as polls read it, and then differs each night', async () => {
  await someMoney();
  directDebit.clearAll();
  await pollOutcomes(deps());
  directDebit.return(directDebit.taken.find(({ kind }) => kind === 'debit')?.id ?? '', 2);
  const [debit] = await database.rows<{ id: string }[]>`select supporter_id as id from debits`;
  const own = database.pool.of(debit?.id ?? '');
  await whileRefused(own, 'update on debits', 'true', async () => {
    await pollOutcomes(deps());
    expect(await reconcile()).toMatchObject({ matched: 2, behind: 1, different: 0 });
    for (const day of ['2026-12-03', '2026-12-04', '2026-12-07']) {
      clock.setTo(`${day}T08:00:00Z`);
      await pollOutcomes(deps());
    }
    for (let night = 0; night < 2; night += 1)
      expect(await reconcile()).toMatchObject({
        behind: 0,
        different: 1,
        differences: [{ kind: 'debit', match: 'outcome differs' }],
      });
  });
});

test('a payment of the provider that we do not have is missing here', async () => {
  await someMoney();
  await database.rows`update deposits set reference = 'SVOTHER', provider_ref = 'PB.other'`;
  const { matched, missingHere, missingThere, differences } = await reconcile();
  expect({ matched, missingHere, missingThere }).toEqual({ matched: 2, missingHere: 1, missingThere: 1 });
  expect(differences.map(({ kind, match }) => [kind, match])).toEqual([
    ['deposit', 'missing there'],
    ['payment', 'missing here'],
  ]);
});

test('a payment made twice is missing here once', async () => {
  await someMoney();
  const [payout] = directDebit.taken.filter(({ kind }) => kind === 'payout');
  const twice = { ...directDebit, listPayments: twiceOver(directDebit, payout?.providerRef ?? '') };
  expect(await reconcilePayments({ ...deps(), directDebit: twice })).toMatchObject({ matched: 3, missingHere: 1 });
});

test('a different amount, and a different outcome, differ', async () => {
  await someMoney();
  await database.rows`update remittances set amount_cents = amount_cents + 1`;
  await database.rows`update deposits set state = 'returned'`;
  const { different, differences } = await reconcile();
  expect(different).toBe(2);
  expect(differences.map(({ kind, match }) => [kind, match])).toEqual([
    ['deposit', 'outcome differs'],
    ['remittance', 'amount differs'],
  ]);
});

test('a payout that we call refused and that the provider has is missing here', async () => {
  await someMoney();
  await database.rows`update deposits set state = 'refused', provider_ref = null`;
  expect(await reconcile()).toMatchObject({ missingHere: 1, missingThere: 0 });
});

test('a lost answer is behind, not missing', async () => {
  await someMoney();
  await database.rows`update deposits set state = 'submitting', provider_ref = null`;
  expect(await reconcile()).toMatchObject({ matched: 2, behind: 1, missingHere: 0, missingThere: 0 });
});

test('payments older than the provider lists are not missed', async () => {
  await someMoney();
  clock.setTo('2028-01-10T00:00:00Z');
  expect(await reconcile()).toEqual({ ...agreed, matched: 0 });
});

test("a payment planned and sent long before the provider's list begins is found by its reference", async () => {
  await someMoney();
  await database.rows`
    update debits set planned_at = planned_at - interval '90 days', submitting_at = submitting_at - interval '90 days',
      submitted_at = submitted_at - interval '90 days'`;
  expect(await reconcilePayments(deps(), 10)).toEqual({ ...agreed, matched: 3 });
});

test('reconciliation fails while the provider is unreachable, and matches afterwards', async () => {
  await someMoney();
  directDebit.setUnreachable(true);
  await expect(reconcile()).rejects.toThrow(ProviderUnavailable);
  directDebit.setUnreachable(false);
  expect(await reconcile()).toEqual({ ...agreed, matched: 3 });
});

test('differences are listed however many payments are behind', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await aClearedDebit(deps(), supporter, 91);
  const own = database.pool.of(supporter.supporterId);
  await own`
    insert into debits (supporter_id, run_date, kind, attempt, club_id, amount_cents, savings_cents, mandate_id, reference, request_id,
      state, provider_ref, planned_at, submitting_at, submitted_at)
    select supporter_id, run_date, 'donation', place, club_id, amount_cents, 0, mandate_id, 'RU' || place, place, 'submitted', 'PR.' || place,
      planned_at, submitting_at, submitted_at
    from debits, generate_series(1, 1000) as place`;
  const listPayments = async function* (since: Date) {
    for await (const payment of directDebit.listPayments(since))
      for (let place = 1; place <= 1_001; place += 1)
        yield { ...payment, state: 'cleared' as const, providerRef: `PR.${place}`, reference: `RU${place}` };
  };
  const { behind, missingHere, differences } = await reconcilePayments({
    ...deps(),
    directDebit: { ...directDebit, listPayments },
  });
  expect([behind, missingHere, differences.length]).toEqual([1_000, 1, 1_000]);
  expect(differences.map(({ match }) => match).slice(0, 2)).toEqual(['missing here', 'behind']);
});

/** Lists one payment twice, the second under its own reference. */
function twiceOver(fake: FakeDirectDebit, providerRef: string): FakeDirectDebit['listPayments'] {
  return async function* (since) {
    for await (const payment of fake.listPayments(since)) {
      yield payment;
      if (payment.providerRef === providerRef) yield { ...payment, providerRef: `${providerRef}-again` };
    }
  };
}

test('a payment recorded long after it was sent is missed only once the window reaches back to its sending', async () => {
  await aClearedDebit(deps(), await aSupporter(database.pool, { directDebit }), 91);
  const none = { ...directDebit, listPayments: async function* () {} };
  clock.setTo('2026-12-05T22:00:00Z');
  await database.rows`update debits set submitted_at = '2026-12-04T00:00:00Z'`;
  expect(await reconcilePayments({ ...deps(), directDebit: none }, 10)).toMatchObject({ missingThere: 0 });
  expect(await reconcilePayments({ ...deps(), directDebit: none }, 20)).toMatchObject({ missingThere: 1 });
});
