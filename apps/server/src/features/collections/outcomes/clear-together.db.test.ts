import { cents, isoDate } from '@sparechange/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { today } from '#ports/clock.ts';
import type { Outcome } from '#ports/direct-debit.ts';
import { beforeBucket } from '#testing/disturbed-buckets.ts';
import {
  aClub,
  aPurchase,
  aSupporter,
  aTenant,
  cleared,
  forgetEverything,
  returned,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { ownPayments } from '#testing/payment-deps.ts';
import { applyOutcome, applyOutcomes, applyPage, bookedTogether, storesOf } from './apply-outcome.ts';
import { pollOutcomes } from './poll-outcomes.ts';

const { database, clock, directDebit, deps } = ownPayments();
const tenants = someTenants(aTenant());

/** Makes the same purchase for each, then plans and submits a run of that day. */
async function debit(people: TestSupporter[], instant: string, amount: number): Promise<void> {
  clock.setTo(instant);
  const day = today(clock);
  for (const person of people)
    await recordRoundUps(database.pool.of(person.supporterId), clock.now(), [
      aPurchase(person, { day, cents: 1000 - amount }),
    ]);
  await planDebits(database.pool, clock, tenants, isoDate(day));
  await submitDebits(deps());
}

async function give(person: TestSupporter, requestId: string, amount: number): Promise<void> {
  const gift = { amount: cents(amount), requestId };
  await requestDonation(database.pool.of(person.supporterId), clock, tenants, person.supporterId, gift);
}

const refsOf = async ({ supporterId }: TestSupporter) => {
  const debits = await database.rows<{ ref: string }[]>`
    select provider_ref as ref from debits where supporter_id = ${supporterId} order by run_date, kind, request_id`;
  return debits.map(({ ref }) => ref);
};

/** Reads everything that outcomes write about a supporter, without ids. */
async function booksOf({ supporterId }: TestSupporter) {
  const of = database.pool.of(supporterId);
  const named = of`select id, run_date, kind, request_id, state, return_code, outcome_at from debits where supporter_id = ${supporterId}`;
  return {
    debits:
      await of`select run_date, kind, state, return_code, outcome_at from (${named}) as named order by run_date, kind, request_id`,
    ledger: await of`
      select named.run_date, named.kind as debit, named.request_id, entry.kind, account, cents, booked_on from ledger_entries entry
      join (${named}) as named on named.id = entry.source where entry.supporter_id = ${supporterId}
      order by run_date, debit, request_id, kind, account`,
    balances: await of`
      select account, cents from ledger_balances where supporter_id = ${supporterId} order by account`,
    mails: await of`select facts, queued_at, is_urgent from mails where supporter_id = ${supporterId} order by id`,
    audit: await of`
      select action, details ->> 'code' as code from audit_log where supporter_id = ${supporterId} and actor = 'direct debit' order by action, code`,
    accounts: await of`select unusable_since, unusable_code from accounts where supporter_id = ${supporterId}`,
    pauses: await of`select paused_on, reason from pauses where supporter_id = ${supporterId}`,
  };
}

/** Creates pairs of twins with a deposited debit, three open round-up debits and two donations. */
async function twins(pairs: { saves: boolean }[]): Promise<[TestSupporter, TestSupporter][]> {
  await forgetEverything(database.pool);
  clock.setTo('2026-11-24T22:00:00Z');
  const clubId = await aClub(database.pool);
  const made: [TestSupporter, TestSupporter][] = [];
  for (const { saves: savings } of pairs) {
    const one = () => aSupporter(database.pool, { directDebit, clubId, savings });
    made.push([await one(), await one()]);
  }
  const people = made.flat();
  await debit(people, '2026-11-24T22:00:00Z', 91);
  directDebit.clearAll();
  await pollOutcomes(deps());
  clock.setTo('2026-11-30T23:30:00Z');
  await depositSavings(deps());
  directDebit.clearAll();
  await pollOutcomes(deps());
  for (const [day, amount] of [
    ['01', 35],
    ['03', 57],
    ['06', 80],
  ] as const)
    await debit(people, `2026-12-${day}T22:00:00Z`, amount);
  for (const person of people) for (const id of ['a', 'b']) await give(person, id, 2_500);
  await submitDebits(deps());
  return made;
}

const news = fc.record({
  who: fc.nat(2),
  which: fc.nat(5),
  code: fc.constantFrom(undefined, undefined, undefined, 2, 6),
});

/** In one lane, in several, and one by one side by side. */
const together = fc.constantFrom(
  bookedTogether,
  { most: 3, sideBySide: 3 },
  { most: 2, sideBySide: 8 },
  { most: 1, sideBySide: 2 },
);

test('debits clearing together are booked as if one by one, with any outcomes in between', () =>
  fc.assert(
    fc.asyncProperty(fc.array(news, { minLength: 4, maxLength: 24 }), together, async (page, limits) => {
      const pairs = await twins([{ saves: true }, { saves: true }, { saves: false }]);
      const refs = await Promise.all(pairs.map((pair) => Promise.all(pair.map(refsOf))));
      clock.setTo('2026-12-10T01:00:00Z');
      const outcomesOf = (twin: 0 | 1) =>
        page.map(({ who, which, code }, at): Outcome => {
          const ref = refs[who]?.[twin]?.[which] ?? '';
          return { ...(code ? returned(ref, code as 2 | 6) : cleared(ref)), at: new Date(clock.now().getTime() + at) };
        });
      const { notBooked } = await applyPage(deps(), storesOf(database.pool), outcomesOf(0), limits);
      expect(notBooked).toEqual([]);
      for (const outcome of outcomesOf(1)) await applyOutcome(deps(), outcome);
      for (const [together, oneByOne] of pairs) expect(await booksOf(together)).toEqual(await booksOf(oneByOne));
      expect((await auditBooks(database.pool)).violations).toEqual([]);
    }),
    { numRuns: 6 },
  ));

test('cleared debits of a page are booked in one transaction; a repeated one counts once', async () => {
  const clubId = await aClub(database.pool);
  const inFirst = () => aSupporter(database.pool.inBuckets()[0] ?? database.pool, { directDebit, clubId });
  const people = [await inFirst(), await inFirst()];
  await debit(people, '2026-11-24T22:00:00Z', 70);
  for (const person of people) await give(person, 'a', 2_500);
  await submitDebits(deps());
  const refs = directDebit.taken.map(({ providerRef }) => providerRef);
  const transactions: number[] = [];
  const counting = beforeBucket(database.pool, async () => void transactions.push(1));
  const page = [...refs, refs[0] ?? ''].map(cleared);
  expect(await applyOutcomes({ ...deps(), db: counting }, page)).toEqual([...refs.map(() => 'cleared'), 'nothing']);
  expect(transactions).toHaveLength(1);
  expect(await database.rows`select 1 from mails where facts ->> 'kind' = 'donation_received'`).toHaveLength(2);
});

test('a page that fills several transactions is booked in them side by side', async () => {
  const clubId = await aClub(database.pool);
  const inFirst = () => aSupporter(database.pool.inBuckets()[0] ?? database.pool, { directDebit, clubId });
  await debit([await inFirst(), await inFirst(), await inFirst()], '2026-11-24T22:00:00Z', 70);
  const refs = directDebit.taken.map(({ providerRef }) => providerRef);
  let begun = 0;
  const begunWith: number[] = [];
  const meeting = beforeBucket(database.pool, async () => {
    begun += 1;
    for (let asked = 0; asked < 50 && begun < refs.length; asked += 1) await database.pool`select 1`; // time for the others
    begunWith.push(begun);
  });
  const page = refs.map(cleared);
  const { changes } = await applyPage(deps(), storesOf(meeting), page, { most: 1, sideBySide: 3 });
  expect(changes).toEqual(['cleared', 'cleared', 'cleared']);
  expect(begunWith).toEqual([3, 3, 3]);
});
