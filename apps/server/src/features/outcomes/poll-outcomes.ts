import { type CircuitBreaker, circuitBreaker } from '@sparechange/domain/circuit-breaker';
import type { Db } from '#db/connect.ts';
import { countOpen } from '#features/debits/debit-repository.ts';
import { listOverdue, overdueBefore } from '#features/debits/overdue-debits.ts';
import type { DirectDebit, Outcome } from '#ports/direct-debit.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { applyPage, type OutcomeDeps, placesOf } from './apply-outcome.ts';

export interface PollDeps extends OutcomeDeps {
  directDebit: DirectDebit;
}

export interface OutcomeReport {
  cleared: number;
  returned: number;
  pending: number;
}

/** An outcome may come late, and the provider's clock may differ from ours: so much is read again each time. */
const rereadMs = 3 * 86_400_000;

/** Collects outcomes changed since last time; notifications only hasten this. */
export async function pollOutcomes(deps: PollDeps): Promise<OutcomeReport> {
  const { db, clock, directDebit } = deps;
  const startedAt = clock.now();
  const report = { cleared: 0, returned: 0 };
  const readUntil = await findReadUntil(db);
  const places = placesOf(db);
  const apply = async (outcomes: Outcome[]) => {
    const { changes } = await applyPage(deps, places, outcomes);
    for (const change of changes) {
      if (change === 'cleared') report.cleared += 1;
      if (change === 'returned' || change === 'reversed') report.returned += 1;
    }
  };
  for await (const page of pagesOf(directDebit.outcomesSince(new Date(readUntil.getTime() - rereadMs)))) {
    await apply(page);
    if (places.left.length === 0) break;
  }
  await apply(await askForOverdue(deps));
  places.end(); // what failed is read again by the next poll
  // Not where somebody has moved it meanwhile: back for a payment that was found, or on by another poll.
  await db`
    insert into poll_cursors (name, read_until) values ('outcomes', ${startedAt})
    on conflict (name) do update set read_until = excluded.read_until where poll_cursors.read_until = ${readUntil}`;
  return { ...report, pending: await countOpen(db) };
}

/** Most overdue debits looked up singly; more suggest provider trouble. */
const maxFollowedUp = 200;

/** Asks for debits by their own references that have been open for longer than they should; each is alarmed besides. */
async function askForOverdue(deps: PollDeps): Promise<Outcome[]> {
  const breaker = circuitBreaker();
  const outcomes: Outcome[] = [];
  for (const { reference } of await listOverdue(deps.db, overdueBefore(deps.clock), maxFollowedUp)) {
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

const pageSize = 500;

async function* pagesOf(outcomes: AsyncIterable<Outcome>): AsyncIterable<Outcome[]> {
  let page: Outcome[] = [];
  for await (const outcome of outcomes) {
    page.push(outcome);
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** Returns when the last poll began; what has been open for longer is asked for on its own. */
async function findReadUntil(db: Db): Promise<Date> {
  const [cursor] = await db<{ readUntil: Date }[]>`
    select read_until as "readUntil" from poll_cursors where name = 'outcomes'`;
  return cursor?.readUntil ?? new Date(rereadMs);
}
