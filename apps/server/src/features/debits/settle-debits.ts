import { addToSetAside, afterReturn, type ReturnCode, subtract, takeFromSetAside } from '@sparechange/domain';
import { type CircuitBreaker, circuitBreaker } from '@sparechange/domain/circuit-breaker';
import { noteInAuditLog } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { mailDonationReceived, mailReturnedDebit } from '#features/emails/queue-debit-emails.ts';
import { bookingDay } from '#features/ledger/booking-day.ts';
import { legsOf, postTransfer } from '#features/ledger/post.ts';
import { settleRemittance } from '#features/remittances/settle-remittance.ts';
import { claimRepaid, settleRepayment } from '#features/repayments/settle-repayment.ts';
import { beginPause } from '#features/round-ups/pause-round-ups.ts';
import { changeSetAside } from '#features/savings/set-aside.ts';
import { settleDeposit } from '#features/savings/settle-deposit.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { DirectDebit, Outcome, ReturnedOutcome } from '#ports/direct-debit.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { countOpen, type Debit, lockByProviderRef, moveDebit, repeatsReturnWithCode6 } from './debit-repository.ts';
import { listOverdue, overdueBefore } from './overdue-debits.ts';
import { suspendRuns } from './suspended-runs.ts';

export interface SettleDeps {
  db: Pool;
  clock: Clock;
  directDebit: DirectDebit;
}

export interface Settled {
  cleared: number;
  returned: number;
  pending: number;
}

/** The effect of a notification or a poll. */
export type Change = 'cleared' | 'returned' | 'reversed' | 'nothing';

/**
 * Applies what the provider says of a debit (docs/rules.md#outcomes-move-forward) or of a payout. Late, doubled and reordered news change
 * nothing twice: a debit moves forward only, and a return after clearing is a reversal.
 */
export async function applyOutcome({ db, clock }: SettleDeps, outcome: Outcome): Promise<Change> {
  if (outcome.state === 'pending') return 'nothing';
  return db.begin(async (tx): Promise<Change> => {
    const debit = await lockByProviderRef(tx, outcome.providerRef);
    if (!debit) return settlePayout(tx, clock, outcome);
    return outcome.state === 'returned' ? takeBack(tx, clock, debit, outcome) : clear(tx, clock, debit);
  });
}

async function settlePayout(tx: Db, clock: Clock, outcome: Outcome): Promise<Change> {
  const settled = (await settleDeposit(tx, clock, outcome)) ?? (await settleRemittance(tx, clock, outcome));
  return settled ?? (await settleRepayment(tx, clock, outcome)) ?? 'nothing';
}

const transferOf = async (tx: Db, clock: Clock, debit: Debit) => ({
  supporterId: debit.supporterId,
  source: debit.id,
  clubId: debit.clubId,
  bookedOn: await bookingDay(tx, clock),
});

async function clear(tx: Db, clock: Clock, debit: Debit): Promise<Change> {
  if (!(await moveDebit(tx, debit, ['submitted'], 'cleared', { at: clock.now() }))) return 'nothing';
  const aside = await changeSetAside(tx, debit.supporterId, addToSetAside, debit.savings);
  const legs = { ...legsOf.cleared(debit), ...aside };
  await postTransfer(tx, { ...(await transferOf(tx, clock, debit)), kind: 'cleared', legs });
  if (debit.kind === 'donation') await mailDonationReceived(tx, clock.now(), debit);
  return 'cleared';
}

async function takeBack(tx: Db, clock: Clock, debit: Debit, { code }: ReturnedOutcome): Promise<Change> {
  const facts = { at: clock.now(), returnCode: code };
  const transfer = await transferOf(tx, clock, debit);
  if (await moveDebit(tx, debit, ['cleared'], 'reversed', facts)) {
    const repaid = await claimRepaid(tx, clock, debit);
    const fromSaver = subtract(debit.savings, repaid.savings);
    const aside = await changeSetAside(tx, debit.supporterId, takeFromSetAside, fromSaver);
    await postTransfer(tx, { ...transfer, kind: 'reversed', legs: { ...legsOf.reversed(debit, repaid), ...aside } });
    await applyReversalCode(tx, clock, debit, code);
    return 'reversed';
  }
  if (!(await moveDebit(tx, debit, ['submitted'], 'returned', facts))) return 'nothing';
  await postTransfer(tx, { ...transfer, kind: 'returned', legs: legsOf.returned(debit) });
  await applyReturnCode(tx, clock, debit, code);
  return 'returned';
}

async function applyReturnCode(tx: Db, clock: Clock, debit: Debit, code: ReturnCode): Promise<void> {
  const { supporterId } = debit;
  const consequences = afterReturn(code, await repeatsReturnWithCode6(tx, debit));
  const details = { debit: debit.id, code };
  await noteInAuditLog(tx, { supporterId, at: clock.now(), actor: 'direct debit', action: 'debit returned', details });
  if (consequences.accountUnusable) await stopDebiting(tx, clock, debit, code);
  if (consequences.pauseSupporter) await beginPause(tx, clock, supporterId, 'two returns');
  await mailReturnedDebit(tx, clock.now(), debit, consequences);
  if (consequences.haltRun)
    await suspendRuns(tx, clock, debit, 'a debit was returned with code 8, invalid Direct Entry user ID');
}

/** Money claimed back is not asked for again; an account that turns out to be closed or forbidden is left alone. */
async function applyReversalCode(tx: Db, clock: Clock, debit: Debit, code: ReturnCode): Promise<void> {
  const consequences = afterReturn(code, false);
  const { supporterId } = debit;
  const details = { debit: debit.id, code };
  await noteInAuditLog(tx, { supporterId, at: clock.now(), actor: 'direct debit', action: 'debit reversed', details });
  if (consequences.accountUnusable) await stopDebiting(tx, clock, debit, code);
  if (consequences.haltRun)
    await suspendRuns(tx, clock, debit, 'a debit was reversed with code 8, invalid Direct Entry user ID');
}

/** The account a debit was taken from is unusable until the supporter changes it; one chosen since is left alone. */
async function stopDebiting(tx: Db, clock: Clock, debit: Debit, code: ReturnCode): Promise<void> {
  const { supporterId } = debit;
  await tx`
    update accounts set unusable_since = ${today(clock)}, unusable_code = ${code}, unusable_because = 'returned'
    where supporter_id = ${supporterId} and is_funding and unusable_since is null and id = (
      select account_id from debit_authorities authority join debits on debits.authority_id = authority.id
        and debits.supporter_id = authority.supporter_id
      where authority.supporter_id = ${supporterId} and debits.id = ${debit.id})`;
}

/** States an outcome cannot change: they only move forward. */
const beyond: Record<Outcome['state'], readonly string[]> = {
  pending: ['submitted', 'cleared', 'returned', 'reversed'],
  cleared: ['cleared', 'returned', 'reversed'],
  returned: ['returned', 'reversed'],
};

/** Finds outcomes applied before, sparing each of them a lock. */
export async function listApplied(db: Db, outcomes: readonly Outcome[]): Promise<Set<Outcome>> {
  const refs = outcomes.map(({ providerRef }) => providerRef);
  const rows = await db<{ ref: string; state: string }[]>`
    select provider_ref as ref, state::text from debits where provider_ref = any(${refs})
    union all select provider_ref, state::text from deposits where provider_ref = any(${refs})
    union all select provider_ref, state::text from remittances where provider_ref = any(${refs})
    union all select provider_ref, state::text from repayments where provider_ref = any(${refs})`;
  const states = new Map(rows.map(({ ref, state }) => [ref, state]));
  return new Set(
    outcomes.filter(({ providerRef, state }) => beyond[state].includes(states.get(providerRef) ?? 'unknown')),
  );
}

/** News may be told late, and the provider's clock may differ from ours: so much is read again each time. */
const rereadMs = 3 * 86_400_000;

/** Collects outcomes changed since last time; notifications only hasten this. */
export async function settleDebits(deps: SettleDeps): Promise<Settled> {
  const { db, clock, directDebit } = deps;
  const startedAt = clock.now();
  const settled = { cleared: 0, returned: 0 };
  for await (const page of pagesOf(directDebit.outcomesSince(await readSince(db)))) {
    const applied = await listApplied(db, page);
    for (const outcome of page) {
      if (applied.has(outcome)) continue;
      const change = await applyOutcome(deps, outcome);
      if (change === 'cleared') settled.cleared += 1;
      if (change === 'returned' || change === 'reversed') settled.returned += 1;
    }
  }
  await followUpOverdue(deps, settled);
  await db`
    insert into poll_cursors (name, read_until) values ('outcomes', ${startedAt})
    on conflict (name) do update set read_until = greatest(poll_cursors.read_until, excluded.read_until)`;
  return { ...settled, pending: await countOpen(db) };
}

/** Most overdue debits looked up singly; more suggest provider trouble. */
const mostFollowedUp = 200;

/** Asks for debits by their own references that have been open for longer than they should; each is alarmed besides. */
async function followUpOverdue(deps: SettleDeps, settled: Omit<Settled, 'pending'>): Promise<void> {
  const breaker = circuitBreaker();
  for (const { reference } of await listOverdue(deps.db, overdueBefore(deps.clock), mostFollowedUp)) {
    if (breaker.isOpen) return;
    for (const outcome of await askFor(deps, reference, breaker)) {
      const change = await applyOutcome(deps, outcome);
      if (change === 'cleared') settled.cleared += 1;
      if (change === 'returned' || change === 'reversed') settled.returned += 1;
    }
  }
}

async function askFor({ directDebit }: SettleDeps, reference: string, breaker: CircuitBreaker): Promise<Outcome[]> {
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

/** From where to read: some days before the last time. What has been open for longer is asked for on its own. */
async function readSince(db: Db): Promise<Date> {
  const [cursor] = await db<{ readUntil: Date }[]>`
    select read_until as "readUntil" from poll_cursors where name = 'outcomes'`;
  return cursor ? new Date(cursor.readUntil.getTime() - rereadMs) : new Date(0);
}
