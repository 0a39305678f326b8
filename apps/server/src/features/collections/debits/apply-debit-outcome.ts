import {
  addToSetAside,
  afterReturn,
  type IsoDate,
  type ReturnCode,
  subtract,
  takeFromSetAside,
} from '@sparechange/domain';
import { type OutcomeChange, outcomeChanges } from '@sparechange/domain/payment-outcome';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import { isUsable } from '#features/core/debiting/conditions.ts';
import { bookingDay } from '#features/core/ledger/booking-day.ts';
import { lockAgainstPlanning } from '#features/core/ledger/planning-lock.ts';
import { legsOf, postNewTransfers, postTransfer } from '#features/core/ledger/post.ts';
import {
  mailDonationReceived,
  mailReturnedDebit,
  mailReversedDebit,
} from '#features/correspondence/emails/queue-debit-emails.ts';
import { claimOnRepaid } from '#features/disbursements/repayments/claim-on-repaid.ts';
import { lockAndComputeLegs, lockAndComputeSetAsideLegs } from '#features/disbursements/savings/set-aside.ts';
import { withdrawPurchaseRefunds } from '#features/supporters/purchase-refunds/withdraw-purchase-refunds.ts';
import { beginOrExtendPause } from '#features/supporters/round-ups/pause-round-ups.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { Outcome, ReturnedOutcome } from '#ports/direct-debit.ts';
import {
  type Debit,
  hasCleared,
  lockByProviderRefs,
  moveCleared,
  moveDebit,
  rePresentsCode6Return,
} from './debit-repository.ts';

/**
 * Applies the provider's notification to a debit; returns undefined if there is none. A return after clearing is a
 * reversal.
 */
export async function applyDebitOutcome(tx: Db, clock: Clock, outcome: Outcome): Promise<OutcomeChange | undefined> {
  const { providerRef } = outcome;
  if (outcome.state !== 'returned')
    return (await clearDebits(tx, clock, [providerRef])).has(providerRef) ? 'cleared' : 'nothing';
  // A claim may withdraw refunds of purchases, so it locks in the order of a repayment: the planners' lock before any
  // debit.
  if (await hasCleared(tx, providerRef)) await lockAgainstPlanning(tx);
  const [debit] = await lockByProviderRefs(tx, [providerRef]);
  return debit && applyReturn(tx, clock, debit, outcome);
}

const transferOf = (debit: Debit, bookedOn: IsoDate) => ({
  supporterId: debit.supporterId,
  source: debit.id,
  clubId: debit.clubId,
  bookedOn,
});

/**
 * Clears debits of several supporters together, by provider reference, in this order; returns those whose state
 * changed.
 */
export async function clearDebits(tx: Db, clock: Clock, providerRefs: string[]): Promise<Set<string>> {
  const locked = await lockByProviderRefs(tx, providerRefs);
  const submitted = new Map(
    locked
      .filter(({ state }) => outcomeChanges[state].cleared === 'cleared')
      .map((debit) => [debit.providerRef ?? '', debit]),
  );
  const refs = [...new Set(providerRefs)].filter((ref) => submitted.has(ref));
  if (refs.length > 0)
    await bookCleared(
      tx,
      clock,
      refs.flatMap((ref) => submitted.get(ref) ?? []),
    );
  return new Set(refs);
}

async function bookCleared(tx: Db, clock: Clock, debits: Debit[]): Promise<void> {
  await moveCleared(tx, debits, clock.now());
  const savings = debits.map(({ supporterId, savings: amount }) => ({ supporterId, amount }));
  const aside = await lockAndComputeLegs(tx, addToSetAside, savings);
  const bookedOn = await bookingDay(tx, clock);
  const transfers = debits.map((debit, at) => ({
    ...transferOf(debit, bookedOn),
    kind: 'cleared' as const,
    legs: { ...legsOf.cleared(debit), ...aside[at] },
  }));
  await postNewTransfers(tx, transfers);
  for (const debit of debits) if (debit.kind === 'donation') await mailDonationReceived(tx, clock.now(), debit);
}

async function applyReturn(tx: Db, clock: Clock, debit: Debit, { code }: ReturnedOutcome): Promise<OutcomeChange> {
  const facts = { at: clock.now(), returnCode: code };
  const transfer = transferOf(debit, await bookingDay(tx, clock));
  const change = outcomeChanges[debit.state].returned;
  if (change === 'nothing' || !(await moveDebit(tx, debit, [debit.state], change, facts))) return 'nothing';
  if (change === 'reversed') {
    await withdrawPurchaseRefunds(tx, [debit.supporterId]);
    const repaid = await claimOnRepaid(tx, clock, debit);
    const fromSaver = subtract(debit.savings, repaid.savings);
    const aside = await lockAndComputeSetAsideLegs(tx, debit.supporterId, takeFromSetAside, fromSaver);
    await postTransfer(tx, { ...transfer, kind: 'reversed', legs: { ...legsOf.reversed(debit, repaid), ...aside } });
    await applyReversalCode(tx, clock, debit, code);
  } else {
    await postTransfer(tx, { ...transfer, kind: 'returned', legs: legsOf.returned(debit) });
    await applyReturnCode(tx, clock, debit, code);
  }
  return change;
}

async function applyReturnCode(tx: Db, clock: Clock, debit: Debit, code: ReturnCode): Promise<void> {
  const { supporterId } = debit;
  const consequences = afterReturn(code, await rePresentsCode6Return(tx, debit));
  const details = { debit: debit.id, code };
  await appendToAuditLog(tx, {
    supporterId,
    at: clock.now(),
    actor: 'direct debit',
    action: 'debit returned',
    details,
  });
  if (consequences.accountUnusable) await stopDebiting(tx, clock, debit, code);
  if (consequences.pauseSupporter) await beginOrExtendPause(tx, clock, supporterId, 'two returns');
  await mailReturnedDebit(tx, clock.now(), debit, consequences);
}

/**
 * Leaves claimed-back money uncollected; an account that proves closed or forbidden is no longer debited, of which its
 * supporter is emailed once: not for further claims on it, nor if they have since chosen another account.
 */
async function applyReversalCode(tx: Db, clock: Clock, debit: Debit, code: ReturnCode): Promise<void> {
  const consequences = afterReturn(code, false);
  const { supporterId } = debit;
  const details = { debit: debit.id, code };
  await appendToAuditLog(tx, {
    supporterId,
    at: clock.now(),
    actor: 'direct debit',
    action: 'debit reversed',
    details,
  });
  if (consequences.accountUnusable && (await stopDebiting(tx, clock, debit, code)))
    await mailReversedDebit(tx, clock.now(), debit);
}

/**
 * Makes the debited account unusable until the supporter changes it; one chosen since is left alone. Returns whether it
 * was usable before.
 */
async function stopDebiting(tx: Db, clock: Clock, debit: Debit, code: ReturnCode): Promise<boolean> {
  const { supporterId } = debit;
  const stopped = await tx`
    update accounts set unusable_since = ${today(clock)}, unusable_code = ${code}, unusable_because = 'returned'
    where supporter_id = ${supporterId} and is_funding and ${isUsable(tx)} and id = (
      select account_id from mandates mandate join debits on debits.mandate_id = mandate.id
        and debits.supporter_id = mandate.supporter_id
      where mandate.supporter_id = ${supporterId} and debits.id = ${debit.id})`;
  return stopped.count > 0;
}
