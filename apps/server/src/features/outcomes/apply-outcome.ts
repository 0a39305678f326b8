import { afterReturn, type IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { isDatabaseUnavailable } from '#db/database-answers.ts';
import { Turns } from '#db/turns.ts';
import { applyDebitOutcome } from '#features/debits/apply-debit-outcome.ts';
import { suspendRuns } from '#features/debits/suspended-runs.ts';
import { applyPayoutOutcome, type Change } from '#features/payouts/apply-payout-outcome.ts';
import { remittanceKind } from '#features/remittances/remittance-kind.ts';
import { repaymentKind } from '#features/repayments/repayment-kind.ts';
import { depositKind } from '#features/savings/deposit-kind.ts';
import type { Clock } from '#ports/clock.ts';
import type { Outcome } from '#ports/direct-debit.ts';

export interface OutcomeDeps {
  db: Pool;
  clock: Clock;
}

interface FoundPayment {
  kind: keyof typeof applyTo;
  ref: string;
  state: string;
  /** The run of a debit. */
  runDate: IsoDate | null;
}

/** An outcome that could not be booked, with the reason. */
export interface NotBooked {
  kind: FoundPayment['kind'];
  outcome: Outcome;
  error: unknown;
}

/** Holds payments of supporters in one bucket, or those of clubs. */
interface PaymentStore {
  db: Pool;
  find(db: Db, refs: string[]): Promise<FoundPayment[]>;
}

const findOfSupporters: PaymentStore['find'] = (db, refs) => db<FoundPayment[]>`
  select 'debit' as kind, provider_ref as ref, state::text, run_date as "runDate" from debits
  where provider_ref = any(${refs})
  union all select 'deposit', provider_ref, state::text, null from deposits where provider_ref = any(${refs})
  union all select 'repayment', provider_ref, state::text, null from repayments where provider_ref = any(${refs})`;

const findOfClubs: PaymentStore['find'] = (db, refs) => db<FoundPayment[]>`
  select 'remittance' as kind, provider_ref as ref, state, null as "runDate" from remittances
  where provider_ref = any(${refs})`;

/** The stores of all payments; one that fails is left out from then on. */
export type PaymentStores = Turns<PaymentStore>;

export const storesOf = (db: Pool): PaymentStores =>
  new Turns([...db.inBuckets().map((bucket) => ({ db: bucket, find: findOfSupporters })), { db, find: findOfClubs }]);

/**
 * Applies what the provider says of payments (docs/rules.md#outcomes-move-forward). Late, doubled and reordered news
 * change nothing twice: a payment moves forward only. What is about nobody's payment is left. Throws, once the others are
 * applied, where one cannot be booked.
 */
export async function applyOutcomes(deps: OutcomeDeps, outcomes: readonly Outcome[]): Promise<Change[]> {
  const stores = storesOf(deps.db);
  const { changes, missing, notBooked } = await applyPage(deps, stores, outcomes);
  for (const { error } of notBooked) throw error;
  if (missing.size > 0) stores.throwFailures(); // a store that failed may hold them
  return changes;
}

/** Applies one outcome. */
export const applyOutcome = async (deps: OutcomeDeps, outcome: Outcome): Promise<Change> =>
  (await applyOutcomes(deps, [outcome]))[0] ?? 'nothing';

/** So many of a page that cannot be booked are a fault of their store. */
const maxNotBooked = 20;

/**
 * Applies outcomes with one look-up in each store, until all are found; `missing` are references of payments not found.
 * One that cannot be booked keeps no other one from being applied; many leave the rest of their store out.
 */
export async function applyPage(deps: OutcomeDeps, stores: PaymentStores, page: readonly Outcome[]) {
  const changes: Change[] = [];
  const notBooked: NotBooked[] = [];
  const news = page
    .filter(({ state }) => state !== 'pending')
    .toSorted((one, other) => one.at.getTime() - other.at.getTime()); // a claim counts as one only after its clearing
  const missing = new Set(news.map(({ providerRef }) => providerRef));
  await stores.take(async ({ db, find }) => {
    if (missing.size === 0) return false;
    const found = new Map((await find(db, [...missing])).map((payment) => [payment.ref, payment]));
    for (const outcome of news) {
      const payment = found.get(outcome.providerRef);
      if (!payment || isApplied(payment, outcome)) continue;
      try {
        changes.push(await apply(deps, db, payment, outcome));
      } catch (error) {
        if (isDatabaseUnavailable(error) || notBooked.length >= maxNotBooked) throw error;
        notBooked.push({ kind: payment.kind, outcome, error });
      }
    }
    for (const ref of found.keys()) missing.delete(ref);
    return false;
  });
  return { changes, missing, notBooked };
}

/** States that an outcome no longer changes: they only move forward. */
const finalFor: Record<Outcome['state'], readonly string[]> = {
  pending: ['submitted', 'cleared', 'returned', 'reversed'],
  cleared: ['cleared', 'returned', 'reversed'],
  returned: ['returned', 'reversed'],
};

/** Spares what was applied before a lock. */
const isApplied = (payment: FoundPayment, { state }: Outcome): boolean => finalFor[state].includes(payment.state);

const applyTo = {
  debit: applyDebitOutcome,
  deposit: (tx: Db, clock: Clock, outcome: Outcome) => applyPayoutOutcome(tx, clock, depositKind, outcome),
  remittance: (tx: Db, clock: Clock, outcome: Outcome) => applyPayoutOutcome(tx, clock, remittanceKind, outcome),
  repayment: (tx: Db, clock: Clock, outcome: Outcome) => applyPayoutOutcome(tx, clock, repaymentKind, outcome),
};

async function apply({ db: control, clock }: OutcomeDeps, db: Pool, payment: FoundPayment, outcome: Outcome) {
  await suspendFor(control, clock, payment, outcome);
  return (await db.begin((tx) => applyTo[payment.kind](tx, clock, outcome))) ?? 'nothing';
}

/** Suspends debiting where a return shows that it must be; before that is recorded, as control commits by itself. */
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
