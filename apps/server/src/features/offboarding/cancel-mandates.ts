import type { Db, Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';

export interface AuthorityDeps {
  db: Pool;
  clock: Clock;
  directDebit: DirectDebit;
}

interface Authority {
  supporterId: string;
  id: string;
  mandateRef: string;
}

/**
 * Withdraws a direct debit authority at the provider; the record of what was agreed to stays. Safe to do again: one that is
 * gone at the provider already is only noted.
 */
export async function cancelAuthority(
  { db, clock, directDebit }: AuthorityDeps,
  { supporterId, id, mandateRef }: Authority,
): Promise<void> {
  await directDebit.cancelMandate(mandateRef);
  await db`
    update debit_authorities set cancelled_at = ${clock.now()}
    where supporter_id = ${supporterId} and id = ${id} and cancelled_at is null`;
}

/**
 * Withdraws every direct debit authority of a supporter. With `unlessFunding` they are kept
 * where the supporter has chosen an account to debit meanwhile. Answers how many there were.
 */
export async function cancelAuthorities(
  deps: AuthorityDeps,
  supporterId: string,
  { unlessFunding = false } = {},
): Promise<number> {
  const authorities = await deps.db<Authority[]>`
    select supporter_id as "supporterId", id, mandate_ref as "mandateRef" from debit_authorities
    where supporter_id = ${supporterId} and mandate_ref is not null and cancelled_at is null
      and not (${unlessFunding} and exists (
        select from accounts where accounts.supporter_id = debit_authorities.supporter_id and is_funding))
    order by agreed_at, id`;
  for (const authority of authorities) await cancelAuthority(deps, authority);
  return authorities.length;
}

/**
 * Authorities agreed to before an instant that nothing is debited under any more: the supporter has agreed to another one
 * since, for the account that is debited now, and no debit of theirs is open.
 */
export function listReplaced(db: Db, before: Date, limit: number): Promise<Authority[]> {
  return db<Authority[]>`
    select supporter_id as "supporterId", id, mandate_ref as "mandateRef" from debit_authorities old
    where mandate_ref is not null and cancelled_at is null and agreed_at < ${before} and exists (
      select from accounts funding join debit_authorities chosen on chosen.supporter_id = funding.supporter_id
        and chosen.account_id = funding.id and chosen.mandate_ref is not null and chosen.cancelled_at is null
      where funding.supporter_id = old.supporter_id and funding.is_funding and chosen.agreed_at > old.agreed_at)
    and not exists (
      select from debits where debits.supporter_id = old.supporter_id and debits.authority_id = old.id
        and state in ('planned', 'submitting', 'submitted'))
    order by supporter_id, agreed_at limit ${limit}`;
}
