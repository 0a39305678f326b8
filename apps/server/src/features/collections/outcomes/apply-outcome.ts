import { afterReturn, type IsoDate } from '@sparechange/domain';
import type { OutcomeChange } from '@sparechange/domain/payment-outcome';
import type { Db, Pool } from '#db/connect.ts';
import { isDatabaseUnavailable } from '#db/database-answers.ts';
import { Turns } from '#db/turns.ts';
import { applyDebitOutcome, clearDebits } from '#features/collections/debits/apply-debit-outcome.ts';
import { suspendRuns } from '#features/collections/debits/suspended-runs.ts';
import { applyPayoutOutcome } from '#features/core/payouts/apply-payout-outcome.ts';
import { remittanceKind } from '#features/disbursements/remittances/remittance-kind.ts';
import { repaymentKind } from '#features/disbursements/repayments/repayment-kind.ts';
import { depositKind } from '#features/disbursements/savings/deposit-kind.ts';
import type { Clock } from '#ports/clock.ts';
import type { Outcome } from '#ports/direct-debit.ts';

export interface OutcomeDeps {
  db: Pool;
  clock: Clock;
}

interface FoundPayment {
  kind: keyof typeof applyTo;
  /** The supporter or club: outcomes of their payments are booked in their order. */
  party: string;
  ref: string;
  /** Our id. */
  reference: string;
  state: string;
  /** Run of a debit. */
  runDate: IsoDate | null;
}

/** An outcome that could not be booked, with the reason. */
export interface NotBooked {
  kind: FoundPayment['kind'];
  outcome: Outcome;
  error: unknown;
}

interface PaymentStore {
  db: Pool;
  find(db: Db, refs: string[]): Promise<FoundPayment[]>;
}

const findOfSupporters: PaymentStore['find'] = (db, refs) => db<FoundPayment[]>`
  select 'debit' as kind, supporter_id as party, provider_ref as ref, reference, state::text, run_date as "runDate" from debits
  where provider_ref = any(${refs})
  union all select 'deposit', supporter_id, provider_ref, reference, state::text, null from deposits where provider_ref = any(${refs})
  union all select 'repayment', supporter_id, provider_ref, reference, state::text, null from repayments
  where provider_ref = any(${refs})`;

const findOfClubs: PaymentStore['find'] = (db, refs) => db<FoundPayment[]>`
  select 'remittance' as kind, club_id as party, provider_ref as ref, reference, state, null as "runDate" from remittances
  where provider_ref = any(${refs})`;

/** Stores of all payments; one that fails is left out from then on. */
export type PaymentStores = Turns<PaymentStore>;

export const storesOf = (db: Pool): PaymentStores =>
  new Turns([...db.inBuckets().map((bucket) => ({ db: bucket, find: findOfSupporters })), { db, find: findOfClubs }]);

/**
 * Applies the provider's notifications of payments (docs/rules.md#outcomes-move-forward). Late, duplicate or
 * out-of-order notifications are applied once, as a payment only moves forward. Those about unknown payments are
 * ignored. Throws, once the others are applied, if one cannot be booked.
 */
export async function applyOutcomes(deps: OutcomeDeps, outcomes: readonly Outcome[]): Promise<OutcomeChange[]> {
  const stores = storesOf(deps.db);
  const { changes, missing, notBooked } = await applyPage(deps, stores, outcomes);
  for (const { error } of notBooked) throw error;
  if (missing.size > 0) stores.throwFailures(); // a store that failed may hold them
  return changes;
}

export const applyOutcome = async (deps: OutcomeDeps, outcome: Outcome): Promise<OutcomeChange> =>
  (await applyOutcomes(deps, [outcome]))[0] ?? 'nothing';

/** Unbookable outcomes of a page in one store after which the store itself is at fault. */
const maxNotBooked = 20;

interface Applied {
  changes: OutcomeChange[];
  notBooked: NotBooked[];
}

/** Outcomes that one transaction locks and books, and transactions of a store that are open together, at most. */
export const bookedTogether = { most: 500, sideBySide: 4 };

/**
 * Applies outcomes with one look-up in each store; `missing` are references of payments not found. Stores work in
 * parallel, as they are independent, and so do the lanes of one. An outcome that cannot be booked does not block the
 * others; many leave out the rest of their store.
 */
export async function applyPage(
  deps: OutcomeDeps,
  stores: PaymentStores,
  page: readonly Outcome[],
  together = bookedTogether,
) {
  const news = page
    .filter(({ state }) => state !== 'pending')
    .toSorted((one, other) => one.at.getTime() - other.at.getTime()); // a claim is recognised only after its clearing
  const refs = [...new Set(news.map(({ providerRef }) => providerRef))];
  const missing = new Set(refs);
  const inStores: Applied[] = [];
  if (refs.length > 0)
    await stores.takeTogether(async ({ db, find }) => {
      const applied: Applied = { changes: [], notBooked: [] };
      inStores.push(applied);
      const found = new Map((await find(db, refs)).map((payment) => [payment.ref, payment]));
      const known = news.map((outcome) => ({ payment: found.get(outcome.providerRef), outcome })).filter(isNews);
      const lanes = new Turns(inLanes(known, together));
      await lanes.takeTogether(async (lane) => {
        for (const batch of inBatches(lane, together.most)) await applyBatch(deps, db, batch, applied);
      });
      lanes.throwFailures();
      for (const ref of found.keys()) missing.delete(ref);
    });
  return {
    changes: inStores.flatMap(({ changes }) => changes),
    missing,
    notBooked: inStores.flatMap(({ notBooked }) => notBooked),
  };
}

/** Outcome of our payment, not applied yet. */
interface News {
  payment: FoundPayment;
  outcome: Outcome;
}

/**
 * Divides outcomes among lanes, which are booked side by side: as few as their transactions fill. A party has one lane,
 * in which its outcomes keep their order.
 */
function inLanes(news: News[], { most, sideBySide }: typeof bookedTogether): News[][] {
  const lanes = Array.from({ length: Math.min(sideBySide, Math.ceil(news.length / most)) }, (): News[] => []);
  const laneOf = new Map<string, number>();
  for (const each of news) {
    const { party } = each.payment;
    const lane = laneOf.get(party) ?? laneOf.size % lanes.length;
    laneOf.set(party, lane);
    lanes[lane]?.push(each);
  }
  return lanes;
}

const isClearing = (news?: News): boolean => news?.payment.kind === 'debit' && news.outcome.state === 'cleared';

/** Divides outcomes, in their order, into runs of consecutive cleared debits and single others. */
function inBatches(news: News[], most: number): News[][] {
  const batches: News[][] = [];
  for (const each of news) {
    const last = batches.at(-1);
    if (last && last.length < most && isClearing(last[0]) && isClearing(each)) last.push(each);
    else batches.push([each]);
  }
  return batches;
}

/** Applies a batch in one transaction or, if that fails, one by one. */
async function applyBatch(deps: OutcomeDeps, db: Pool, batch: News[], applied: Applied): Promise<void> {
  try {
    applied.changes.push(...(await apply(deps, db, batch)));
  } catch (error) {
    if (batch.length > 1) {
      for (const each of batch) await applyBatch(deps, db, [each], applied);
      return;
    }
    if (isDatabaseUnavailable(error) || applied.notBooked.length >= maxNotBooked) throw error;
    for (const { payment, outcome } of batch) applied.notBooked.push({ kind: payment.kind, outcome, error });
  }
}

/** States that no outcome changes: they only move forward. */
const finalFor: Record<Outcome['state'], readonly string[]> = {
  pending: ['submitted', 'cleared', 'returned', 'reversed'],
  cleared: ['cleared', 'returned', 'reversed'],
  returned: ['returned', 'reversed'],
};

/** Drops outcomes applied before, without taking a lock. */
const isNews = (each: { payment: FoundPayment | undefined; outcome: Outcome }): each is News =>
  each.payment !== undefined && !finalFor[each.outcome.state].includes(each.payment.state);

/** Lists payments that do not have the reported state. */
export async function listStillOpen(stores: PaymentStores, reported: Map<string, Outcome['state']>): Promise<string[]> {
  const references: string[] = [];
  if (reported.size > 0)
    await stores.takeTogether(async ({ db, find }) => {
      for (const { ref, reference, state } of await find(db, [...reported.keys()]))
        if (!finalFor[reported.get(ref) ?? 'pending'].includes(state)) references.push(reference);
    });
  return references;
}

const applyTo = {
  debit: applyDebitOutcome,
  deposit: (tx: Db, clock: Clock, outcome: Outcome) => applyPayoutOutcome(tx, clock, depositKind, outcome),
  remittance: (tx: Db, clock: Clock, outcome: Outcome) => applyPayoutOutcome(tx, clock, remittanceKind, outcome),
  repayment: (tx: Db, clock: Clock, outcome: Outcome) => applyPayoutOutcome(tx, clock, repaymentKind, outcome),
};

/** Applies an outcome, or those of cleared debits. */
function apply(deps: OutcomeDeps, db: Pool, batch: News[]): Promise<OutcomeChange[]> {
  const [only] = batch;
  return only && batch.length === 1
    ? applyOne(deps, db, only).then((change) => [change])
    : applyCleared(deps, db, batch);
}

async function applyOne(
  { db: control, clock }: OutcomeDeps,
  db: Pool,
  { payment, outcome }: News,
): Promise<OutcomeChange> {
  await suspendFor(control, clock, payment, outcome);
  return (await db.begin((tx) => applyTo[payment.kind](tx, clock, outcome))) ?? 'nothing';
}

async function applyCleared({ clock }: OutcomeDeps, db: Pool, batch: News[]): Promise<OutcomeChange[]> {
  const refs = batch.map(({ payment }) => payment.ref);
  const cleared = await db.begin((tx) => clearDebits(tx, clock, refs));
  return refs.map((ref) => (cleared.delete(ref) ? 'cleared' : 'nothing'));
}

/** Suspends debiting if a return requires it; before the return is recorded, as control commits separately. */
async function suspendFor(
  control: Db,
  clock: Clock,
  { runDate, state }: FoundPayment,
  outcome: Outcome,
): Promise<void> {
  if (!runDate || outcome.state !== 'returned' || !afterReturn(outcome.code, false).suspendRuns) return;
  const change = { submitted: 'returned', cleared: 'reversed' }[state];
  if (change)
    await suspendRuns(
      control,
      clock,
      { runDate },
      `a debit was ${change} with code ${outcome.code}, invalid Direct Entry user ID`,
    );
}
