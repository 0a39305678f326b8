import type { Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';

export interface AuthorityDeps {
  db: Pool;
  clock: Clock;
  directDebit: DirectDebit;
}

/**
 * Withdraws every direct debit authority of a supporter at the provider; the record of what was agreed to stays. Safe
 * to do again: an authority that is gone at the provider already is only noted. With `unlessFunding` a supporter who has
 * chosen an account to debit meanwhile keeps them. Answers how many there were.
 */
export async function cancelAuthorities(
  { db, clock, directDebit }: AuthorityDeps,
  supporterId: string,
  { unlessFunding = false } = {},
): Promise<number> {
  const authorities = await db<{ id: string; mandateRef: string }[]>`
    select id, mandate_ref as "mandateRef" from debit_authorities
    where supporter_id = ${supporterId} and mandate_ref is not null and cancelled_at is null
      and not (${unlessFunding} and exists (
        select from accounts where accounts.supporter_id = debit_authorities.supporter_id and is_funding))
    order by agreed_at, id`;
  for (const { id, mandateRef } of authorities) {
    await directDebit.cancelMandate(mandateRef);
    await db`
      update debit_authorities set cancelled_at = ${clock.now()}
      where supporter_id = ${supporterId} and id = ${id} and cancelled_at is null`;
  }
  return authorities.length;
}
