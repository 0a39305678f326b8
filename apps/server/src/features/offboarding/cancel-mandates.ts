import type { Db, Pool } from '#db/connect.ts';
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
  mandateRef: string;
}

/** Cancels a mandate at the provider, and notes it beside what was agreed to. One that is cancelled there already is only noted. */
export async function cancelMandate(
  { db, clock, directDebit }: CancelMandateDeps,
  { supporterId, id, mandateRef }: MandateToCancel,
): Promise<void> {
  await directDebit.cancelMandate(mandateRef);
  await db`
    update mandates set cancelled_at = ${clock.now()}
    where supporter_id = ${supporterId} and id = ${id} and cancelled_at is null`;
}

/**
 * Cancels every mandate of a supporter; returns their number. With `unlessFunding` it cancels none if the supporter has
 * an account to debit, chosen meanwhile.
 */
export async function cancelMandates(
  deps: CancelMandateDeps,
  supporterId: string,
  { unlessFunding = false } = {},
): Promise<number> {
  const mandates = await deps.db<MandateToCancel[]>`
    select supporter_id as "supporterId", id, mandate_ref as "mandateRef" from mandates
    where supporter_id = ${supporterId} and mandate_ref is not null and cancelled_at is null
      and not (${unlessFunding} and exists (
        select from accounts where accounts.supporter_id = mandates.supporter_id and is_funding))
    order by agreed_at, id`;
  for (const mandate of mandates) await cancelMandate(deps, mandate);
  return mandates.length;
}

/**
 * Lists mandates agreed to before an instant and superseded: their supporter has agreed to a later one, for the account
 * that is debited now, and no debit under the old one is open.
 */
export function listSupersededMandates(db: Db, before: Date, limit: number): Promise<MandateToCancel[]> {
  return db<MandateToCancel[]>`
    select supporter_id as "supporterId", id, mandate_ref as "mandateRef" from mandates old
    where mandate_ref is not null and cancelled_at is null and agreed_at < ${before} and exists (
      select from accounts funding join mandates chosen on chosen.supporter_id = funding.supporter_id
        and chosen.account_id = funding.id and chosen.mandate_ref is not null and chosen.cancelled_at is null
      where funding.supporter_id = old.supporter_id and funding.is_funding and chosen.agreed_at > old.agreed_at)
    and not exists (
      select from debits where debits.supporter_id = old.supporter_id and debits.mandate_id = old.id
        and state in ('planned', 'submitting', 'submitted'))
    order by supporter_id, agreed_at limit ${limit}`;
}
