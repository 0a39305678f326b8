import { randomUUID } from 'node:crypto';
import { type Cents, cents, type ReturnCode } from '@sparechange/domain';
import { shareBetween } from '@sparechange/domain/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '#errors.ts';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { pauseRoundUps, resumeRoundUps } from '#features/supporters/round-ups/pause-round-ups.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { today } from '#ports/clock.ts';
import { ownDatabase } from '#testing/database.ts';
import { type Fault, fakeDirectDebit, SimulatedCrash } from '#testing/fake-direct-debit.ts';
import {
  aClock,
  aPurchase,
  aSupporter,
  aTenant,
  forgetEverything,
  returned,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { auditBooks } from './audit-books.ts';

const database = ownDatabase();

const step = fc.record({
  what: fc.constantFrom(
    ...(['buys', 'buys', 'buys', 'donates', 'pauses', 'resumes', 'changes savings'] as const),
    ...(['is debited', 'is debited', 'clears', 'clears', 'comes back', 'is settled'] as const),
  ),
  who: fc.nat(1),
  amount: fc.integer({ min: 1, max: 999 }).map(cents),
  which: fc.nat(2),
  code: fc.constantFrom<ReturnCode>(2, 6, 6),
  faults: fc.array(
    fc.constantFrom<Fault>(
      'time-out before effect',
      'time-out after effect',
      'refused',
      'crash before effect',
      'crash after effect',
    ),
    { maxLength: 2 },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

const tenants = someTenants(aTenant());

/** Ignores refusals and simulated crashes; rethrows anything else. */
const unlessExpected = (error: unknown) => {
  if (!(error instanceof Refusal || error instanceof SimulatedCrash)) throw error;
};

/** Two supporters, one of them with savings, and a provider that accepts every repeated submission. */
async function aWorld() {
  await forgetEverything(database.pool);
  const clock = aClock('2026-11-02T00:00:00Z');
  const directDebit = fakeDirectDebit({ now: () => clock.now(), keyLifeMs: 0 });
  const people = [
    await aSupporter(database.pool, { directDebit }),
    await aSupporter(database.pool, { directDebit, savings: true }),
  ];
  return { ...paymentDeps(database.pool, clock, directDebit), people };
}
type World = Awaited<ReturnType<typeof aWorld>>;

/** Expects today's debits to be shared by the pure rule. */
async function expectSharesByTheRule({ clock }: World): Promise<void> {
  const planned = await database.rows<{ amount: Cents; club: number; savings: number; saves: boolean }[]>`
    select amount_cents as amount, amount_cents - savings_cents as club, savings_cents as savings,
      savings_enabled and exists (select from savings_accounts linked where linked.supporter_id = supporter.supporter_id) as saves
    from debits join supporters supporter using (supporter_id) where kind = 'round-up' and run_date = ${today(clock)}`;
  for (const { amount, saves, club, savings } of planned)
    expect({ club, savings }).toEqual(shareBetween(amount, saves));
}

async function play(world: World, { what, who, amount, which, code, faults }: Step): Promise<void> {
  const { db, clock, directDebit } = world;
  const person = world.people[who] as TestSupporter;
  const payment = directDebit.taken.at(-1 - which); // one of the last three
  switch (what) {
    case 'buys':
      await recordRoundUps(db.of(person.supporterId), clock.now(), [
        aPurchase(person, { cents: amount, day: today(clock) }),
      ]);
      return;
    case 'donates':
      await requestDonation(db.of(person.supporterId), clock, tenants, person.supporterId, {
        amount,
        requestId: randomUUID(),
      }).catch(unlessExpected);
      return;
    case 'pauses':
      return pauseRoundUps(db.of(person.supporterId), clock, person.supporterId, 'supporter');
    case 'resumes':
      return resumeRoundUps(db.of(person.supporterId), clock, person.supporterId);
    case 'changes savings':
      await database.rows`
        update supporters set savings_enabled = not savings_enabled where supporter_id = ${person.supporterId}`;
      return;
    case 'is debited':
      clock.setTo(new Date(clock.now().getTime() + 86_400_000).toISOString());
      directDebit.failNext(...faults);
      await planDebits(db, clock, tenants, today(clock));
      await expectSharesByTheRule(world);
      await submitDebits(world).catch(unlessExpected);
      return;
    case 'clears':
      if (payment?.state === 'pending') directDebit.clear(payment.id);
      return;
    case 'comes back':
      if (!payment) return;
      directDebit.return(payment.id, code);
      await applyOutcome(world, returned(payment.providerRef, code));
      await database.rows`update accounts set unusable_since = null`;
      return;
    case 'is settled':
      await pollOutcomes(world);
  }
}

test(
  'after any sequence of debits the books are right and nobody was debited twice',
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const world = await aWorld();
        for (const each of steps) await play(world, each);
        expect((await auditBooks(world.db)).violations).toEqual([]);
        const taken = world.directDebit.taken.map(({ id }) => id);
        expect(new Set(taken).size).toBe(taken.length);
        const [books] = await database.rows<{ promised: number; owed: number }[]>`
        select coalesce(sum(cents) filter (where account = 'promised'), 0)::bigint as promised,
          coalesce(sum(cents) filter (where account in ('pledged', 'in_flight')), 0)::bigint as owed
        from ledger_balances`;
        expect(books?.promised).toBe(books?.owed);
      }),
      { numRuns: 40 },
    ),
  120_000,
);

/** Returns the sum promised and not yet collected. */
async function outstanding(): Promise<number> {
  const [balance] = await database.rows<{ cents: number }[]>`
    select coalesce(sum(cents), 0)::bigint as cents from ledger_balances where account = 'promised'`;
  return balance?.cents ?? 0;
}

test(
  'once the provider answers and supporters fix their problems, every counted cent is collected exactly once',
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const world = await aWorld();
        for (const each of steps) if (each.what !== 'donates') await play(world, each);
        const calm = { who: 0, amount: cents(1), which: 0, code: 6 as const, faults: [] };
        for (let day = 0; day < 60 && (await outstanding()) > 0; day += 1) {
          for (const { supporterId } of world.people)
            await resumeRoundUps(world.db.of(supporterId), world.clock, supporterId);
          await database.rows`update accounts set unusable_since = null`;
          await database.rows`update debits set parked_at = null where parked_at is not null`;
          await play(world, { ...calm, what: 'is debited' });
          world.directDebit.clearAll();
          await play(world, { ...calm, what: 'is settled' });
        }
        expect(await outstanding()).toBe(0);
        const [books] = await database.rows<{ counted: number; collected: number }[]>`
        select (select coalesce(sum(counted_cents), 0)::bigint from round_ups) as counted,
          (select coalesce(sum(amount_cents), 0)::bigint from debits where state in ('cleared', 'reversed')) as collected`;
        expect(books?.collected).toBe(books?.counted);
      }),
      { numRuns: 25 },
    ),
  120_000,
);
