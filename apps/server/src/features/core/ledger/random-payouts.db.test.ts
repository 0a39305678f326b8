import { addDays, cents, isoDate, sydneyTime } from '@sparechange/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { correctLedger, writeOff } from '#features/accounting/bookkeeping/correct-ledger.ts';
import { setReserve } from '#features/beneficiaries/clubs/club-repository.ts';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { ownDatabase } from '#testing/database.ts';
import { type Fault, fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { aClock, aClub, aSupporter, forgetEverything } from '#testing/makers.ts';
import { aClearedDebit, setBankDetails } from '#testing/money-day.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { auditBooks } from './audit-books.ts';

const database = ownDatabase();

const faults = fc.array(
  fc.constantFrom<Fault>(
    'time-out before effect',
    'time-out after effect',
    'refused',
    'crash before effect',
    'crash after effect',
  ),
  { maxLength: 2 },
);
const who = fc.nat(2);
const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('gives' as const), who, amount: fc.integer({ min: 1, max: 99 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('days pass' as const), days: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom('deposits' as const, 'remits' as const), faults }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constantFrom('clears' as const, 'comes back' as const), which: fc.nat(20) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constantFrom(
        'is corrected' as const,
        'is taken from' as const,
        'is written off' as const,
        'holds back' as const,
      ),
      who,
      amount: fc.integer({ min: 0, max: 150 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('links again' as const, 'imports again' as const), who }) },
);
type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

/** Plays events of three savers of two clubs, with a provider that forgets idempotency keys immediately. */
async function play(events: Event[]) {
  await forgetEverything(database.pool);
  const db = database.pool;
  const clock = aClock();
  let day = isoDate('2026-11-25');
  const directDebit = fakeDirectDebit({ now: () => clock.now(), keyLifeMs: 0 });
  const deps = paymentDeps(db, clock, directDebit);
  const clubs = [await aClub(db), await aClub(db)];
  for (const club of clubs) await setBankDetails(db, club, '12345678');
  const savers = await Promise.all(
    [0, 1, 1].map((club) => aSupporter(db, { clubId: clubs[club] ?? '', directDebit, savings: true })),
  );
  const clubOf = (who: number) => clubs[who % 2] ?? '';
  const nextDay = (days: number) => {
    day = addDays(day, days);
    clock.setTo(sydneyTime(day, '10:00').toISOString());
  };
  const carryOut = async (next: Event): Promise<unknown> => {
    switch (next.what) {
      case 'gives': {
        nextDay(1); // one debit a supporter and day
        const supporter = savers[next.who];
        const ref = supporter && (await aClearedDebit(deps, supporter, next.amount));
        const taken = directDebit.taken.find(({ providerRef }) => providerRef === ref);
        return taken && directDebit.clear(taken.id);
      }
      case 'days pass':
        return nextDay(next.days);
      case 'deposits':
      case 'remits':
        directDebit.failNext(...next.faults);
        await (next.what === 'deposits' ? depositSavings(deps) : remitToClubs(deps)).catch(() => {});
        return directDebit.forgetFaults();
      case 'clears':
      case 'comes back': {
        const payment = directDebit.taken[next.which % Math.max(1, directDebit.taken.length)];
        if (!payment || payment.state === 'returned') return;
        if (next.what === 'comes back') directDebit.return(payment.id, 6);
        else directDebit.clear(payment.id);
        return pollOutcomes(deps);
      }
      case 'is corrected':
      case 'is taken from':
      case 'is written off': {
        const [debit, credit] =
          next.what === 'is corrected'
            ? (['suspense', 'owed_to_clubs'] as const)
            : (['owed_to_clubs', 'fees'] as const);
        const booked = { id: crypto.randomUUID(), clubId: clubOf(next.who), amount: cents(next.amount), reason: 'why' };
        if (next.amount === 0) return;
        return next.what === 'is written off'
          ? writeOff(deps, booked)
          : correctLedger(deps, { ...booked, debit, credit });
      }
      case 'holds back':
        return setReserve(db, clubOf(next.who), cents(next.amount));
      case 'links again':
        return database.rows`update savings_accounts set linked_at = ${clock.now()} where supporter_id = ${savers[next.who]?.supporterId ?? ''}`;
      case 'imports again':
        return setBankDetails(db, clubOf(next.who), '99990000');
    }
  };
  for (const next of events) {
    await carryOut(next);
    expect((await auditBooks(db)).violations).toEqual([]);
  }
  return directDebit.taken;
}

test(
  'in any sequence of deposits and remittances, the books are right after each step and nothing is paid twice',
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
        const taken = await play(events);
        expect(new Set(taken.map(({ id }) => id)).size).toBe(taken.length);
      }),
      { numRuns: 12, endOnFailure: true },
    ),
  180_000,
);
