import { type CircuitBreaker, circuitBreaker } from '@sparechange/domain/circuit-breaker';
import { inPages } from '@sparechange/domain/in-pages';
import { countOpen } from '#features/collections/debits/debit-repository.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { findPollCursors } from '#features/core/submission/poll-cursors.ts';
import { today } from '#ports/clock.ts';
import type { DirectDebit, Outcome } from '#ports/direct-debit.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import {
  applyPage,
  bookedTogether,
  listStillOpen,
  type NotBooked,
  type OutcomeDeps,
  type PaymentStores,
  storesOf,
} from './apply-outcome.ts';
import { listOverdue, overdueBefore } from './overdue-payments.ts';

export interface PollDeps extends OutcomeDeps {
  directDebit: DirectDebit;
  log: AlarmDeps['log'];
}

export interface OutcomeReport {
  cleared: number;
  returned: number;
  pending: number;
}

/** A short poll reads an hour again, as the provider's clock may differ from ours; a later one reads all of it. */
const shortRereadMs = 3_600_000;

/** As many as one store books side by side. */
const pageSize = bookedTogether.most * bookedTogether.sideBySide;

/**
 * Collects outcomes changed since last time; notifications only speed this up. A short poll reads less again. An
 * outcome that cannot be booked is alarmed, and tried again by each poll.
 */
export async function pollOutcomes(deps: PollDeps, { isShort = false } = {}): Promise<OutcomeReport> {
  const { db, clock, directDebit } = deps;
  const startedAt = clock.now();
  const report = { cleared: 0, returned: 0 };
  const { readUntil, readAgainFrom } = await findPollCursors(db);
  const from = isShort ? new Date(readUntil.getTime() - shortRereadMs) : readAgainFrom;
  const stores = storesOf(db);
  let alarmed = 0;
  const tried = new Set<string>();
  const apply = async (outcomes: Outcome[]) => {
    const { changes, notBooked } = await applyPage(deps, stores, outcomes);
    for (const each of notBooked) {
      tried.add(each.outcome.providerRef);
      await alarmNotBooked(deps, each, alarmed++);
    }
    for (const change of changes) {
      if (change === 'cleared') report.cleared += 1;
      if (change === 'returned' || change === 'reversed') report.returned += 1;
    }
  };
  for await (const page of inPages(directDebit.outcomesSince(from), pageSize)) {
    await apply(page);
    if (stores.left.length === 0) break;
  }
  const overdue = await listOverdue(db, overdueBefore(clock), maxFollowedUp);
  await apply(
    await askForEach(deps, [
      ...overdue.map(({ reference }) => reference),
      ...(await listNotBooked(deps, stores, tried)),
    ]),
  );
  stores.throwFailures(); // before the cursor moves, so that the next poll reads the same outcomes again
  // A cursor that has moved stays: back, for a payment that was found, or forward by another poll.
  await db`
    insert into poll_cursors (name, read_until) values ('outcomes', ${startedAt})
    on conflict (name) do update set read_until = excluded.read_until where poll_cursors.read_until = ${readUntil}`;
  if (!isShort)
    await db`
      insert into poll_cursors (name, read_until) values ('outcomes read again', ${startedAt})
      on conflict (name) do update set read_until = excluded.read_until`;
  return { ...report, pending: await countOpen(db) };
}

const maxAlarms = 20;

/** Raises an alarm for an outcome that cannot be booked; beyond a limit per poll, one for all others of the day. */
async function alarmNotBooked(deps: PollDeps, { kind, outcome, error }: NotBooked, before: number): Promise<void> {
  if (before >= maxAlarms) {
    const sentence = `More than ${maxAlarms} outcomes of payments could not be booked. They are retried automatically.`;
    return raiseAlarm(deps, { name: 'outcomes_not_booked', about: today(deps.clock), sentence });
  }
  const { providerRef, state } = outcome;
  const sentence = `The ${kind} that the provider calls ${providerRef} is ${state} there, which cannot be booked here: ${(error as Error).message}. It is retried automatically.`;
  const see = { page: 'Payments', reference: providerRef } as const;
  await raiseAlarm(deps, { name: 'outcome_not_booked', about: `${providerRef} ${state}`, sentence, see });
}

/** Maximum of payments of a kind that one poll asks for; more suggest that the provider is in trouble. */
const maxFollowedUp = 200;

/** Days in which an unbooked outcome is requested. */
const askedForDays = 60;

/**
 * Lists our references of payments whose outcome could not be booked before, as alarms name them, except those just
 * tried.
 */
async function listNotBooked({ db, clock }: PollDeps, stores: PaymentStores, tried: Set<string>): Promise<string[]> {
  const alarms = await db<{ ref: string; state: Outcome['state'] }[]>`
    select split_part(about, ' ', 1) as ref, split_part(about, ' ', 2) as state from alarms
    where name = 'outcome_not_booked' and raised_at > ${new Date(clock.now().getTime() - askedForDays * 86_400_000)}
    order by raised_at desc limit ${maxFollowedUp}`;
  return listStillOpen(
    stores,
    new Map(alarms.filter(({ ref }) => !tried.has(ref)).map(({ ref, state }) => [ref, state])),
  );
}

/** Asks for payments until the provider fails too often. */
async function askForEach(deps: PollDeps, references: string[]): Promise<Outcome[]> {
  const breaker = circuitBreaker();
  const outcomes: Outcome[] = [];
  for (const reference of new Set(references)) {
    if (breaker.isOpen) break;
    outcomes.push(...(await askFor(deps, reference, breaker)));
  }
  return outcomes;
}

async function askFor({ directDebit }: PollDeps, reference: string, breaker: CircuitBreaker): Promise<Outcome[]> {
  try {
    const outcomes = await directDebit.outcomesOf(reference);
    breaker.record(false);
    return outcomes;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error;
    breaker.record(true);
    return [];
  }
}
