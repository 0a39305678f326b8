import { addDays, type Cents, cents, type IsoDate, isoDate, sydneyTime } from '@sparechange/domain';
import { nextDebitDay } from '@sparechange/domain/banking-calendar';
import {
  amountOf,
  candidateOf,
  type DebitCandidate,
  debitIneligibility,
  isDebited,
  type MailReader,
  noticeAmount,
  roundUp,
  takenAtOnce,
} from '@sparechange/domain/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsOf } from '#db/in-each-bucket.ts';
import { runningCampaigns } from '#features/beneficiaries/clubs/campaigns.ts';
import { debitCandidates } from '#features/collections/debits/debit-candidates.ts';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { suspendTenant } from '#features/collections/debits/suspended-tenants.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { recordPurchaseRefunds } from '#features/supporters/purchase-refunds/record-purchase-refunds.ts';
import { pauseRoundUps } from '#features/supporters/round-ups/pause-round-ups.ts';
import { type Purchase, recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownDatabase } from '#testing/database.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import {
  aClock,
  aPurchase,
  aPurchaseRefund,
  aSupporter,
  aTenant,
  forgetEverything,
  returned,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { queueDebitNotices } from './queue-debit-notices.ts';
import { setDebitNotices } from './settings.ts';
import { skipDebit } from './skip-debit.ts';

const database = ownDatabase();

const monday = isoDate('2026-11-16');
const minimum = cents(100);
const tenants = someTenants(
  aTenant(),
  aTenant({ key: 'ended', endsOn: '2026-11-18' }),
  aTenant({ key: 'suspended' }),
  aTenant({ key: 'thrifty', minimumDebitCents: minimum }),
);

const supporter = fc.record({
  tenantKey: fc.constantFrom('default', 'default', 'default', 'ended', 'suspended', 'thrifty'),
  ceiling: fc.constantFrom(150, 1000_00, 1000_00).map(cents),
  /** The last day's action, before the run under test. */
  last: fc.constantFrom(
    ...(['nothing', 'nothing', 'nothing', 'pauses', 'ends the consent', 'skips', 'wants no mails'] as const),
    'loses the account',
  ),
});

const step = fc.record({
  what: fc.constantFrom('buys', 'buys', 'buys', 'is paid back', 'a run', 'comes back'),
  who: fc.nat(5),
  amount: fc.integer({ min: 1, max: 400 }).map(cents),
  daysAgo: fc.constantFrom(0, 1, 4, 9),
  which: fc.nat(3),
  code: fc.constantFrom<6 | 2>(6, 6, 2),
});
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

interface Bought {
  purchase: Purchase;
  counted: Cents;
  /** False once it is paid back, or dropped before it gave anything. */
  isRefundable: boolean;
  /** True while its refund waits to be deducted. */
  hasRefundWaiting: boolean;
}

/** One supporter, with facts that the rules do not know. */
interface Actor {
  supporter: TestSupporter;
  known: DebitCandidate & MailReader;
  bought: Bought[];
  /** Purchases behind the amounts of `known.waiting`. */
  waiting: Bought[];
  /** Purchases behind each amount of `known.represented`. */
  represented: Bought[][];
  /** Newest debit, until it has an outcome. */
  open: { amount: Cents; isFirstAttempt: boolean; covers: Bought[] } | undefined;
}

async function aWorld(overrides: { tenantKey: string; ceiling: Cents }[]) {
  await forgetEverything(database.pool);
  const clock = aClock(sydneyTime(monday, '05:00').toISOString());
  const directDebit = fakeDirectDebit({ now: () => clock.now() });
  const actors: Actor[] = [];
  for (const { tenantKey, ceiling } of overrides) {
    const supporter = await aSupporter(database.pool, { tenantKey, ceilingCents: ceiling, directDebit });
    const known: Actor['known'] = {
      waiting: [],
      represented: [],
      refunds: cents(0),
      ceiling,
      isOnHold: false,
      hasParkedDebit: false,
      isPlanned: false,
      hasCampaignEnded: false,
      hasConsent: true,
      isPaused: false,
      isSkipped: false,
      isTenantSuspended: tenantKey === 'suspended',
      minimum: tenantKey === 'thrifty' ? minimum : cents(0),
      wantsDebitNotice: true,
    };
    actors.push({ supporter, known, bought: [], waiting: [], represented: [], open: undefined });
  }
  await suspendTenant(
    { db: database.pool, clock, actor: { kind: 'operating_system', id: 'robin' } },
    'suspended',
    'a test',
  );
  const deps = paymentDeps(database.pool, clock, directDebit);
  return { ...deps, tenants, actors, day: monday as IsoDate };
}
type World = Awaited<ReturnType<typeof aWorld>>;

async function buys({ db, clock, day }: World, actor: Actor, { amount, daysAgo }: Step): Promise<void> {
  const purchase = aPurchase(actor.supporter, { cents: amount, day: addDays(day, -daysAgo) });
  await recordRoundUps(db.of(purchase.supporterId), clock.now(), [purchase]);
  const counted = roundUp(amount, 100);
  const bought = { purchase, counted, isRefundable: true, hasRefundWaiting: false };
  actor.bought.push(bought);
  actor.waiting.push(bought);
  actor.known.waiting = [...actor.known.waiting, counted];
}

async function refundsPurchase({ db, clock, day }: World, actor: Actor, { which }: Step): Promise<void> {
  const bought = actor.bought.at(-1 - which);
  if (!bought?.isRefundable) return;
  await recordPurchaseRefunds(db.of(actor.supporter.supporterId), clock.now(), actor.supporter.supporterId, [
    aPurchaseRefund(bought.purchase, { day }),
  ]);
  Object.assign(bought, { isRefundable: false, hasRefundWaiting: true });
  actor.known.refunds = cents(actor.known.refunds + bought.counted);
}

const setEnded = ({ actors }: World, day: IsoDate, keys: Map<Actor, string>): void => {
  for (const actor of actors) actor.known.hasCampaignEnded = keys.get(actor) === 'ended' && day >= '2026-11-18';
};

/** Drops waiting amounts after the end of a campaign; none of them was given, so none can be or was refunded. */
function dropLeft(actor: Actor): void {
  for (const lost of [...actor.waiting, ...actor.represented.flat()]) {
    if (lost.hasRefundWaiting) actor.known.refunds = cents(actor.known.refunds - lost.counted);
    Object.assign(lost, { isRefundable: false, hasRefundWaiting: false });
  }
  Object.assign(actor, { waiting: [], represented: [] });
  Object.assign(actor.known, { waiting: [], represented: [] });
}

/** Makes the day's debit run and updates the model. */
async function run(world: World, keys: Map<Actor, string>): Promise<void> {
  const { db, clock, actors, day } = world;
  setEnded(world, day, keys);
  await planDebits(db, clock, tenants, day, cents(1_000_000_00));
  await submitDebits(world);
  for (const actor of actors) {
    const { known } = actor;
    if (known.hasCampaignEnded) dropLeft(actor);
    if (!isDebited(known)) continue;
    const taken = takenAtOnce(known);
    const covers = [
      ...actor.represented.splice(0, taken.represented).flat(),
      ...actor.waiting.splice(0, taken.waiting),
    ];
    actor.open = { amount: taken.amount, isFirstAttempt: taken.represented === 0, covers };
    const rest = {
      waiting: known.waiting.slice(taken.waiting),
      represented: known.represented.slice(taken.represented),
    };
    Object.assign(known, { ...rest, refunds: cents(0), isPlanned: true });
    for (const bought of actor.bought) bought.hasRefundWaiting = false;
  }
}

function nextDay(world: World): void {
  world.day = nextDebitDay(world.day);
  world.clock.setTo(sydneyTime(world.day, '05:00').toISOString());
  for (const { known } of world.actors) known.isPlanned = false;
}

async function comesBack(world: World, actor: Actor, { code }: Step): Promise<void> {
  const { open, known, supporter } = actor;
  if (!open || (code === 6 && !open.isFirstAttempt)) return; // twice in a row pauses them: another rule
  const [debit] = await database.rows<{ ref: string }[]>`
    select provider_ref as ref from debits where supporter_id = ${supporter.supporterId} order by run_date desc limit 1`;
  await applyOutcome(world, returned(debit?.ref ?? '', code));
  actor.open = undefined;
  known.represented = [...known.represented, open.amount];
  actor.represented.push(open.covers);
  if (code === 2) known.ceiling = undefined;
}

async function lastAction(world: World, { supporter, known }: Actor, last: string): Promise<void> {
  const { db, clock, day } = world;
  const { supporterId } = supporter;
  if (last === 'pauses') {
    await pauseRoundUps(db.of(supporterId), clock, supporterId, 'supporter');
    known.isPaused = true;
  } else if (last === 'ends the consent') {
    await database.rows`update supporters set consent_active = false where supporter_id = ${supporterId}`;
    known.hasConsent = false;
  } else if (last === 'skips' && !known.isPlanned) {
    await skipDebit(db.of(supporterId), clock, { supporterId, run: day, isSkipped: true, actor: 'supporter' });
    known.isSkipped = true;
  } else if (last === 'wants no mails') {
    await setDebitNotices(db.of(supporterId), clock, { supporterId, debitNotices: 'never', actor: 'supporter' });
    known.wantsDebitNotice = false;
  } else if (last === 'loses the account') {
    await database.rows`update accounts set is_listed = false where supporter_id = ${supporterId}`;
    known.ceiling = undefined;
  }
}

test(
  'for any actions of supporters, a run debits exactly those named by the rules, and the notice before it states the same amounts',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(supporter, { minLength: 6, maxLength: 6 }),
        fc.array(step, { minLength: 8, maxLength: 24 }),
        fc.boolean(),
        async (supporters, steps, isAfterRun) => {
          const world = await aWorld(supporters);
          const keys = new Map(world.actors.map((actor, at) => [actor, supporters[at]?.tenantKey ?? '']));
          for (const each of steps) {
            const actor = world.actors[each.who] as Actor;
            if (each.what === 'buys') await buys(world, actor, each);
            else if (each.what === 'is paid back') await refundsPurchase(world, actor, each);
            else if (each.what === 'comes back') await comesBack(world, actor, each);
            else {
              await run(world, keys);
              nextDay(world);
            }
          }
          if (isAfterRun) {
            await run(world, keys);
            for (const actor of world.actors) await buys(world, actor, { ...steps[0], daysAgo: 0 } as Step);
          } else
            for (const [at, actor] of world.actors.entries())
              await lastAction(world, actor, supporters[at]?.last ?? '');
          setEnded(world, world.day, keys);

          const { db, day, actors } = world;
          const running = await runningCampaigns(db, tenants, day);
          const candidates = await rowsOf(
            db.inBuckets(),
            (bucket) => bucket<{ supporterId: string; cents: Cents; reason: string | null }[]>`
              with ${debitCandidates(bucket, day, running)} select supporter_id as "supporterId", cents, reason from candidates`,
          );
          await queueDebitNotices(world, day);
          const mails = await database.rows<{ supporterId: string; cents: number }[]>`
            select supporter_id as "supporterId", (facts->>'amountCents')::int as cents from mails
            where key = ${`debit_notice ${day}`}`;
          for (const { supporter, known } of actors) {
            const row = candidates.find(({ supporterId }) => supporterId === supporter.supporterId);
            const candidate = candidateOf(known);
            expect(row && { cents: row.cents, reason: row.reason ?? undefined }).toEqual(
              candidate > 0 ? { cents: amountOf(known), reason: debitIneligibility(known) } : undefined,
            );
            const mail = mails.find(({ supporterId }) => supporterId === supporter.supporterId);
            expect(mail?.cents).toBe(noticeAmount(known));
          }
        },
      ),
      { numRuns: 40 },
    ),
  120_000,
);
