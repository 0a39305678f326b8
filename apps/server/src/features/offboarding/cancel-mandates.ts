import type { Db, Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';

export interface MandateDeps {
  db: Pool;
  clock: Clock;
  directDebit: DirectDebit;
}

interface Mandate {
  supporterId: string;
  id: string;
  mandateRef: string;
}

/**
 * Withdraws a mandate at the provider; the record of what was agreed to stays. Safe to do again: one that is
 * gone at the provider already is only noted.
 */
export async function cancelMandate(
  { db, clock, directDebit }: MandateDeps,
  { supporterId, id, mandateRef }: Mandate,
): Promise<void> {
  await directDebit.cancelMandate(mandateRef);
  await db`
    update mandates set cancelled_at = ${clock.now()}
    where supporter_id = ${supporterId} and id = ${id} and cancelled_at is null`;
}

/**
 * Withdraws every mandate of a supporter. With `unlessFunding` they are kept
 * where the supporter has chosen an account to debit meanwhile. Answers how many there were.
 */
export async function cancelMandates(
  deps: MandateDeps,
  supporterId: string,
  { unlessFunding = false } = {},
): Promise<number> {
  const mandates = await deps.db<Mandate[]>`
    select supporter_id as "supporterId", id, mandate_ref as "mandateRef" from mandates
    where supporter_id = ${supporterId} and mandate_ref is not null and cancelled_at is null
      and not (${unlessFunding} and exists (
        select from accounts where accounts.supporter_id = mandates.supporter_id and is_funding))
    order by agreed_at, id`;
  for (const mandate of mandates) await cancelMandate(deps, mandate);
  return mandates.length;
}

/**
 * Mandates agreed to before an instant that nothing is debited under any more: the supporter has agreed to another one
 * since, for the account that is debited now, and no debit of theirs is open.
 */
export function listReplaced(db: Db, before: Date, limit: number): Promise<Mandate[]> {
  return db<Mandate[]>`
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
