import { addDays } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Db } from '#db/connect.ts';
import { findSilentBehind } from '#db/silent-nodes.ts';
import { type EntryDeps, fetchEntries } from '#features/accounting/bank-statements/fetch-entries.ts';
import { matchOpenLines } from '#features/accounting/bank-statements/match-lines.ts';
import { countOpenLines } from '#features/accounting/bank-statements/statement-line-repository.ts';
import { type ReconcileDeps, reconcilePayments } from '#features/accounting/reconciliation/reconcile-payments.ts';
import { raiseAlarm } from '#features/core/alarms/alarms.ts';
import { today } from '#ports/clock.ts';
import { recordBookCheck } from './book-check-repository.ts';
import { alarmNotChecked, type NightlyDeps } from './nightly-audit.ts';

/** Days compared again each night, for outcomes that arrive late. */
const lookBackDays = 10;
const msPerDay = 86_400_000;

export interface NightlyReconciliation {
  matched: number;
  behind: number;
  differences: number;
  openStatementLines: number;
}

/** Compares recent provider payments with ours, and fetches entries of accounts that the provider keeps; differences raise an alarm. */
export async function reconcileByNight(deps: NightlyDeps & ReconcileDeps & EntryDeps): Promise<NightlyReconciliation> {
  const { db, clock } = deps;
  const startedAt = clock.now();
  const began = performance.now();
  const found = await reconcilePayments(deps, await daysToCompare(db, startedAt)).catch(async (error: unknown) => {
    const silent = await findSilentBehind(db, error);
    if (silent.length > 0) await alarmNotChecked(deps, 'reconciliation', today(clock), silent);
    throw error; // it is tried again each minute of this day
  });
  const differences = found.missingHere + found.missingThere + found.different;
  await recordBookCheck(db, {
    kind: 'reconciliation',
    startedAt,
    tookMs: performance.now() - began,
    found: differences,
  });
  if (differences > 0) {
    const sentence = `The provider and our books differ: ${counted(found.missingHere, 'payment')} missing in our books, ${found.missingThere} missing at the provider, ${found.different} with another amount or outcome.`;
    await raiseAlarm(deps, {
      name: 'provider_disagrees',
      about: today(clock),
      sentence,
      see: { page: 'Reconciliation', command: 'reconcile' },
    });
  }
  const lines = await matchOpenLines(deps);
  await alarmOldLines(deps);
  await fetchEntries(deps); // the last, as it fails without the provider
  return { matched: found.matched, behind: found.behind, differences, openStatementLines: lines.open };
}

/**
 * Returns the number of days to compare: ten, and those since the last reconciliation, so that a failed night is made
 * up for; all if there was none.
 */
async function daysToCompare(db: Db, now: Date): Promise<number> {
  const [last] = await db<{ at: Date | null }[]>`
    select max(started_at) as at from book_checks where kind = 'reconciliation'`;
  if (!last?.at) return Number.POSITIVE_INFINITY;
  return lookBackDays + Math.ceil((now.getTime() - last.at.getTime()) / msPerDay);
}

/** Days after which an unexplained line needs somebody's attention. */
const maxDaysOpen = 5;

async function alarmOldLines(deps: NightlyDeps): Promise<void> {
  const { lines, oldest } = await countOpenLines(deps.db);
  if (!oldest || oldest >= addDays(today(deps.clock), -maxDaysOpen)) return;
  const sentence = `No payment matches ${counted(lines, 'line')} of the trust account's statements; the oldest is from ${oldest}. Match them by hand.`;
  await raiseAlarm(deps, { name: 'statement_lines_open', about: oldest, sentence, see: { page: 'Reconciliation' } });
}
