import type { Db, Pool } from '#db/connect.ts';
import { findPollCursors } from '#features/core/submission/poll-cursors.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit, ProviderPayment } from '#ports/direct-debit.ts';
import { type Match, matchPayment } from './match-payment.ts';
import {
  addToProviderList,
  countPairs,
  dropLists,
  keepSettlements,
  type ListedPair,
  listOurPayments,
  listPairs,
  makeLists,
  pairPayments,
} from './payment-repository.ts';

export interface Difference extends ListedPair {
  match: Match;
}

export interface Reconciliation {
  matched: number;
  missingHere: number;
  missingThere: number;
  /** Payments further along at the provider; settling catches up. A reversal that no poll reads again is different. */
  behind: number;
  /** Payments without an answer for a day, whether the provider has them or not: an operator decides. */
  parked: number;
  /** Payments whose amount or outcome differs from ours. */
  different: number;
  /** Unmatched payments, at most a thousand: first differing or missing ones, then those behind or parked. */
  differences: Difference[];
}

const msPerDay = 86_400_000;
/** Providers list payments up to a year old; a day less, so that both sides cover the same payments. */
export const furthestBackDays = 363;
const batchSize = 1_000;
const maxListed = 1_000;

export interface ReconcileDeps {
  db: Pool;
  clock: Clock;
  directDebit: DirectDebit;
}

/**
 * Compares every payment of the provider in the last days, debits and payouts, with ours and back. Changes no payment.
 */
export async function reconcilePayments(
  { db, clock, directDebit }: ReconcileDeps,
  days: number = furthestBackDays,
): Promise<Reconciliation> {
  const until = clock.now();
  const from = new Date(until.getTime() - Math.min(days, furthestBackDays) * msPerDay);
  const { readAgainFrom } = await findPollCursors(db);
  const session = await db.reserve();
  try {
    await makeLists(session);
    let batch: ProviderPayment[] = [];
    for await (const payment of directDebit.listPayments(new Date(from.getTime() - msPerDay))) {
      batch.push(payment);
      if (batch.length < batchSize) continue;
      await addToProviderList(session, batch, readAgainFrom);
      batch = [];
    }
    await addToProviderList(session, batch, readAgainFrom);
    await keepSettlements(session, until);
    await listOurPayments(session, db, { from, until });
    await pairPayments(session);
    return await compare(session);
  } finally {
    await dropLists(session);
    session.release();
  }
}

async function compare(session: Db): Promise<Reconciliation> {
  const counted = (await countPairs(session)).map((pair) => ({ ...pair, match: matchOf(pair) }));
  const count = (...matches: Match[]) =>
    counted.reduce((sum, pair) => sum + (matches.includes(pair.match) ? pair.count : 0), 0);
  const differing = counted.filter(({ match }) => match !== 'matched' && match !== 'not sent');
  const [open, wrong] = [differing.filter(isOpen), differing.filter((pair) => !isOpen(pair))];
  const listed = await listPairs(session, wrong, maxListed);
  listed.push(...(await listPairs(session, open, maxListed - listed.length)));
  return {
    matched: count('matched'),
    missingHere: count('missing here'),
    missingThere: count('missing there'),
    behind: count('behind'),
    parked: count('parked'),
    different: count('amount differs', 'outcome differs'),
    differences: listed.map((pair) => ({ ...pair, match: matchOf(pair) })),
  };
}

/** Lists payments that settling catches up with, or that already wait for a decision, last, as there may be many. */
const isOpen = ({ match }: { match: Match }): boolean => match === 'behind' || match === 'parked';

const matchOf = ({ ours, theirs, ...pair }: Parameters<typeof matchPayment>[0]): Match =>
  matchPayment({ ours: ours ?? undefined, theirs: theirs ?? undefined, ...pair });
