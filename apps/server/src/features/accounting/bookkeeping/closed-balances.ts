import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db, Statement } from '#db/connect.ts';

/** An account's balance at the end of a day. */
export interface ClosingBalance {
  supporter_id: string;
  account: string;
  cents: Cents;
}

/** Selects the audited supporters' balances at the end of a day, of accounts that moved since they were last closed. */
export const balancesToClose = (tx: Db, until: IsoDate): Statement<ClosingBalance[]> => tx`
  select supporter_id, account, closed_cents + coalesce(moved.cents, 0) as cents
  from audited_supporters audited join ledger_balances balance using (supporter_id)
  left join (
    select supporter_id, account, sum(on_own_side(account, cents)) as cents
    from recent_entries join audited_supporters using (supporter_id)
    where not is_whole and booked_on > closed_until and booked_on <= ${until} group by 1, 2
    union all
    select supporter_id, account, sum(on_own_side(account, cents))
    from ledger_entries join audited_supporters using (supporter_id)
    where is_whole and booked_on > coalesce(closed_until, '-infinity') and booked_on <= ${until} group by 1, 2
  ) as moved using (supporter_id, account)
  where is_whole or moved.cents is not null`;

/** Stores balances at the end of a day, locked in the order in which postings lock. */
export async function closeBalances(db: Db, closing: Statement<readonly unknown[]>, until: IsoDate): Promise<void> {
  await db`
    with locked as materialized (
      select supporter_id, account, closing.cents from ledger_balances
      join (${closing}) as closing using (supporter_id, account)
      where coalesce(closed_until, '-infinity') < ${until}
      order by supporter_id, account for no key update of ledger_balances
    )
    update ledger_balances balance set closed_cents = locked.cents, closed_until = ${until}
    from locked where balance.supporter_id = locked.supporter_id and balance.account = locked.account`;
}
