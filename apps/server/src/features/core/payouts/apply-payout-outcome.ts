import { type OutcomeChange, outcomeChanges } from '@sparechange/domain/payment-outcome';
import { appendToAuditLog, operatorsChain } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';
import type { Outcome } from '#ports/direct-debit.ts';
import type { Payout, PayoutKind } from './payout-kind.ts';
import { findByProviderRef, lockPayout, movePayout } from './payout-repository.ts';

/** Applies the provider's notification to a payout of this kind; returns undefined if there is none. */
export async function applyPayoutOutcome<Row extends Payout>(
  tx: Db,
  clock: Clock,
  kind: PayoutKind<Row>,
  outcome: Outcome,
): Promise<OutcomeChange | undefined> {
  const found = await findByProviderRef(tx, kind, outcome.providerRef);
  if (!found) return undefined;
  await kind.lockBefore?.(tx, found);
  const payout = await lockPayout(tx, kind, found);
  if (!payout) return undefined;
  const change = outcomeChanges[payout.state][outcome.state];
  if (change === 'nothing') return 'nothing';
  const at = clock.now();
  const { code, reason } = outcome.state === 'returned' ? outcome : {};
  const facts = { at, returnCode: code, failure: reason };
  if (!(await movePayout(tx, kind, payout, payout.state, change, facts))) return 'nothing';
  await kind.book(tx, clock, payout, change, { code });
  if (change === 'cleared') return change;
  const { id, supporterId = operatorsChain, clubId } = payout;
  const details = { [kind.name]: id, club: clubId, code: code ?? null, reason: reason ?? null };
  await appendToAuditLog(tx, { supporterId, at, actor: 'direct debit', action: `${kind.name} returned`, details });
  return change;
}
