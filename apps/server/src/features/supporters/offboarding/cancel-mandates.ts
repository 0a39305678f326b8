import type { Db, Pool } from '#db/connect.ts';
import { isInEffect } from '#features/core/debiting/conditions.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';

export interface CancelMandateDeps {
  db: Pool;
  clock: Clock;
  directDebit: DirectDebit;
}

export interface MandateToCancel {
  supporterId: string;
  id: string;
  /** Null if the provider's answer was lost, or it refused. */
  mandateRef: string | null;
}

/** Time after which a call that registers a mandate has ended, with an answer or without. */
const registeringMs = 60_000;

/** Maximum number of mandates without a reference that one offboarding asks the provider about, the newest. */
const maxLookedUp = 20;

/** Period after its agreement in which the daily run asks about a mandate without a reference. */
const lookUpForMs = 7 * 86_400_000;

/** Returns the period of agreements whose missing references the daily run asks for. */
export const lookedUpDaily = (clock: Clock): { from: Date; to: Date } => {
  const at = clock.now().getTime();
  return { from: new Date(at - lookUpForMs), to: new Date(at - registeringMs) };
};

/** Asks for the reference of a mandate whose answer was lost, and records it: the agreement may be in effect there. */
async function findLostRef(
  { db, directDebit }: CancelMandateDeps,
  { supporterId, id }: MandateToCancel,
): Promise<string | undefined> {
  const [payer] = await db<{ name: string; email: string }[]>`
    select payer_name as name, email from mandates join supporters using (supporter_id)
    where supporter_id = ${supporterId} and id = ${id}`;
  const mandateRef = payer && (await directDebit.findMandate({ id, ...payer }));
  if (mandateRef)
    await db`
      update mandates set mandate_ref = ${mandateRef}
      where supporter_id = ${supporterId} and id = ${id} and mandate_ref is null`;
  return mandateRef;
}

/**
 * Cancels a mandate at the provider, and records it with the agreement. One already cancelled there is only recorded.
 * Returns false if the provider does not know it.
 */
export async function cancelMandate(deps: CancelMandateDeps, mandate: MandateToCancel): Promise<boolean> {
  const { db, clock, directDebit } = deps;
  const mandateRef = mandate.mandateRef ?? (await findLostRef(deps, mandate));
  if (!mandateRef) return false;
  await directDebit.cancelMandate(mandateRef);
  await db`
    update mandates set cancelled_at = ${clock.now()}
    where supporter_id = ${mandate.supporterId} and id = ${mandate.id} and cancelled_at is null`;
  return true;
}

/**
 * Cancels every mandate of a supporter, also one whose answer was lost; returns their number. With `unlessFunding` it
 * cancels none if the supporter has since chosen an account to debit.
 */
export async function cancelMandates(
  deps: CancelMandateDeps,
  supporterId: string,
  { unlessFunding = false } = {},
): Promise<number> {
  const mandates = await deps.db<MandateToCancel[]>`
    select supporter_id as "supporterId", id, mandate_ref as "mandateRef" from mandates
    where supporter_id = ${supporterId} and cancelled_at is null
      and (mandate_ref is not null or id in (
        select lost.id from mandates lost
        where lost.supporter_id = ${supporterId} and lost.mandate_ref is null and lost.cancelled_at is null
          and lost.agreed_at <= ${lookedUpDaily(deps.clock).to}
        order by lost.agreed_at desc limit ${maxLookedUp}))
      and not (${unlessFunding} and exists (
        select from accounts where accounts.supporter_id = mandates.supporter_id and is_funding))
    order by mandate_ref is null, agreed_at, id`;
  let cancelled = 0;
  for (const mandate of mandates) if (await cancelMandate(deps, mandate)) cancelled += 1;
  return cancelled;
}

/**
 * Lists superseded mandates agreed to before an instant: their supporter has agreed to a later one, for the account
 * debited now, and no debit under the old one is open. Those without a reference are included while they are new; one
 * that shares its reference with the later one is not: a provider may know both as one, and would end both.
 */
export function listSupersededMandates(
  db: Db,
  before: Date,
  lookedUp: { from: Date },
  limit: number,
): Promise<MandateToCancel[]> {
  return db<MandateToCancel[]>`
    select supporter_id as "supporterId", id, mandate_ref as "mandateRef" from mandates old
    where (mandate_ref is not null or agreed_at >= ${lookedUp.from}) and cancelled_at is null
    and agreed_at < ${before} and exists (
      select from accounts funding join mandates chosen on chosen.supporter_id = funding.supporter_id
        and chosen.account_id = funding.id and ${isInEffect(db, 'chosen')}
      where funding.supporter_id = old.supporter_id and funding.is_funding and chosen.agreed_at > old.agreed_at
        and chosen.mandate_ref is distinct from old.mandate_ref)
    and not exists (
      select from debits where debits.supporter_id = old.supporter_id and debits.mandate_id = old.id
        and state in ('planned', 'submitting', 'submitted'))
    order by supporter_id, agreed_at limit ${limit}`;
}
