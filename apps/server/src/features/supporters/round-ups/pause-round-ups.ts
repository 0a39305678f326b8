import { canPauseUntil, type IsoDate } from '@sparechange/domain';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { InvalidInput } from '#errors.ts';
import { isOpenPause } from '#features/core/debiting/conditions.ts';
import { getPendingPayments } from '#features/core/ledger/pending-payments.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { type Clock, today } from '#ports/clock.ts';

export type PauseReason = 'supporter' | 'two returns';
/** Person who pauses or resumes: an operator does so at the supporter's request. */
export type PauseActor = 'supporter' | 'operator';

/**
 * Stops recording immediately; submitted debits complete (docs/rules.md#pause). With a day the pause ends automatically
 * on that day. Pausing twice changes nothing except the day, if one is given.
 */
export async function pauseRoundUps(
  pool: Pool,
  clock: Clock,
  supporterId: string,
  reason: PauseReason,
  until?: IsoDate,
  askedBy: PauseActor = 'supporter',
): Promise<void> {
  if (until && !canPauseUntil(until, today(clock)))
    throw new InvalidInput('A pause can end from tomorrow on, within a year.', { until: 'Please choose another day' });
  await pool.begin(async (tx) => {
    const hasChanged = await beginOrExtendPause(tx, clock, supporterId, reason, until, askedBy);
    if (hasChanged && reason === 'supporter') await confirmPause(tx, clock, supporterId, until);
  });
}

/** Starts a pause, or moves the end of an open one, inside the transaction; returns whether anything changed. */
export async function beginOrExtendPause(
  tx: Db,
  clock: Clock,
  supporterId: string,
  reason: PauseReason,
  until?: IsoDate,
  askedBy: PauseActor = 'supporter',
): Promise<boolean> {
  const now = clock.now();
  const added = await tx`
    insert into pauses (supporter_id, paused_at, paused_on, reason, until)
    select ${supporterId}, ${now}, ${today(clock)}, ${reason}, ${until ?? null}::date
    where not exists (select from pauses where supporter_id = ${supporterId} and ${isOpenPause(tx)})
    on conflict do nothing returning supporter_id`;
  const isNew = added.length > 0;
  const changeOpen = () =>
    reason === 'two returns' ? removeEndOfPause(tx, supporterId) : moveEndOfPause(tx, supporterId, until);
  if (!isNew && !(await changeOpen())) return false;
  await appendToAuditLog(tx, {
    supporterId,
    at: now,
    actor: reason === 'supporter' ? askedBy : 'direct debit',
    action: isNew ? 'paused round-ups' : 'changed pause',
    details: { reason, ...(until ? { until } : {}) },
  });
  return true;
}

async function moveEndOfPause(tx: Db, supporterId: string, until: IsoDate | undefined): Promise<boolean> {
  if (!until) return false;
  const moved = await tx`
    update pauses set until = ${until}
    where supporter_id = ${supporterId} and ${isOpenPause(tx)} and until is distinct from ${until}::date
      and paused_on < ${until}::date`;
  return moved.count > 0;
}

/** Removes the end of an open pause, for instance after two returned debits: it lasts until the supporter resumes. */
async function removeEndOfPause(tx: Db, supporterId: string): Promise<boolean> {
  const changed = await tx`
    update pauses set until = null, reason = 'two returns'
    where supporter_id = ${supporterId} and ${isOpenPause(tx)} and until is not null`;
  return changed.count > 0;
}

/** Emails a confirmation, once a day for each end of the pause, however often the supporter asks. */
async function confirmPause(tx: Db, clock: Clock, supporterId: string, until: IsoDate | undefined): Promise<void> {
  const { debits, donations, deposits, refunds, setAsideCents } = await getPendingPayments(tx, supporterId);
  const facts = {
    kind: 'paused_by_you',
    until: until ?? null,
    debits,
    donations,
    deposits,
    refunds,
    setAsideCents,
  } as const;
  const key = ['paused by you', today(clock), ...(until ? ['until', until] : [])].join(' ');
  await queueEmail(tx, { supporterId, key, facts, at: clock.now() });
}

/**
 * Resumes counting from today, or from the day on which the pause was to end if that has passed; recorded round-ups
 * join the first run.
 */
export async function resumeRoundUps(
  pool: Pool,
  clock: Clock,
  supporterId: string,
  askedBy: PauseActor = 'supporter',
): Promise<void> {
  await pool.begin(async (tx) => {
    const ended = await tx`
      update pauses set resumed_on = least(until, ${today(clock)}::date)
      where supporter_id = ${supporterId} and ${isOpenPause(tx)}`;
    if (ended.count === 0) return;
    await appendToAuditLog(tx, { supporterId, at: clock.now(), actor: askedBy, action: 'resumed round-ups' });
  });
}
