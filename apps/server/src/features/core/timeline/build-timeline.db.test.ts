import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { pauseRoundUps } from '#features/supporters/round-ups/pause-round-ups.ts';
import { ownDatabase } from '#testing/database.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { fillBooks } from '#testing/fill-books.ts';
import { aClock, aSupporter, aTenant, someTenants } from '#testing/makers.ts';
import { aClearedDebit, reverse } from '#testing/money-day.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { setGuardsAside } from '#testing/set-guards-aside.ts';
import { buildTimeline } from './build-timeline.ts';

const database = ownDatabase();

test('one supporter: registered, agreed, debited, given, taken back and paused, in order of time', async () => {
  const { pool } = database;
  const clock = aClock();
  const directDebit = fakeDirectDebit({ now: () => clock.now() });
  const deps = paymentDeps(pool, clock, directDebit);
  const supporter = await aSupporter(pool, { directDebit, email: 'robin@example.com', savings: true });
  const { supporterId } = supporter;
  const reference = await aClearedDebit(deps, supporter, 70);
  clock.setTo('2026-11-25T22:00:00Z');
  await requestDonation(pool.of(supporterId), clock, someTenants(aTenant()), supporterId, {
    amount: cents(25_00),
    requestId: 'gift',
  });
  await submitDebits(deps);
  clock.setTo('2026-11-26T22:00:00Z');
  await reverse(deps, reference);
  clock.setTo('2026-11-27T22:00:00Z');
  await pauseRoundUps(pool.of(supporterId), clock, supporterId, 'supporter');
  const { events, auditLog } = await buildTimeline(pool.of(supporterId), supporterId);
  const sentences = events.map(({ sentence }) =>
    sentence.replaceAll(/RU[0-9A-F]{16}/g, 'RU..').replace(/PR\S+\./, 'PR'),
  );
  expect(sentences).toEqual([
    'Robin Banks registered as robin@example.com for Riverside Rovers, on the pages of default.',
    expect.stringMatching(
      /^Robin Banks agreed to the direct debit .*version 2026-11-21, for account XXXX5678 .* from 192\.0\.2\.1/,
    ),
    'Debit RU.. of $0.70 was planned for Wed 25 Nov 2026 from account XXXX5678: round-ups of Wed 25 Nov 2026 $0.70 (1 purchase). $0.35 of it is for savings.',
    'Debit RU.. of $0.70 was submitted; the provider calls it PR',
    'Debit RU.. of $0.70 cleared: $0.35 for Riverside Rovers. $0.35 of it is for savings.',
    expect.stringMatching(/^Debit RU.. of \$25\.00 was planned for .*: a one-off donation\.$/),
    'Debit RU.. of $25.00 was submitted; the provider calls it PR',
    'Debit RU.. of $0.70 was taken back after it had cleared, with code 6, refer to customer.',
    'The supporter paused round-ups (reason: supporter).',
  ]);
  expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted());
  expect(auditLog).toEqual({ entries: 2, isWhole: true });
});

test('every kind of event is listed, without an account number, and its log is unaltered', async () => {
  const { pool, rows } = database;
  await fillBooks(database);
  const everybody = await rows<{ id: string }[]>`select supporter_id as id from supporters`;
  const kinds = new Set<string>();
  for (const { id } of everybody) {
    const { events, auditLog } = await buildTimeline(pool.of(id), id);
    expect(auditLog.isWhole).toBe(true);
    expect(JSON.stringify(events)).not.toMatch(/12345678|87654321|062000|\bundefined\b/);
    for (const { fact } of events) kinds.add(fact.kind);
    const noted = events.flatMap(({ fact }) => (fact.kind === 'noted' ? fact.action : []));
    expect(noted.filter((action) => / (returned|reversed)$/.test(action))).toEqual([]); // each is an event of its own
  }
  const ends = ['planned', 'submitted', 'cleared', 'returned', 'reversed', 'refused'];
  expect([...kinds]).toEqual(expect.arrayContaining(ends.map((end) => `debit ${end}`)));
  expect([...kinds]).toEqual(expect.arrayContaining(ends.map((end) => `deposit ${end}`)));
  expect([...kinds]).toEqual(
    expect.arrayContaining(['refund submitted', 'refund cleared', 'refund returned', 'refund refused']),
  );
  expect([...kinds]).toEqual(expect.arrayContaining(['bank data deleted', 'purchase refunded', 'receipt issued']));
});

test('a timeline shows that its log was tampered with', async () => {
  const { supporterId } = await aSupporter(database.pool);
  const bucket = database.pool.of(supporterId);
  await pauseRoundUps(bucket, aClock(), supporterId, 'supporter');
  await bucket.begin(async (tx) => {
    await setGuardsAside(tx);
    await tx`update audit_log set actor = 'operator' where supporter_id = ${supporterId}`;
  });
  expect((await buildTimeline(bucket, supporterId)).auditLog).toEqual({ entries: 1, isWhole: false });
});
