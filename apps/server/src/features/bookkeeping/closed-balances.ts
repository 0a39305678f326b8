import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

export interface ClosedBalance {
  supporterId: string;
  account: string;
  cents: Cents;
}

/** Returns the audited supporters' balances at the end of a day, of accounts that moved since they were last closed. */
export async function listBalancesToClose(tx: Db, until: IsoDate): Promise<ClosedBalance[]> {
  const balances = await tx<ClosedBalance[]>`
    select supporter_id as "supporterId", account, (closed_cents + coalesce(moved.cents, 0))::bigint as cents
    from audited_supporters audited join ledger_balances balance using (supporter_id)
    left join (
      select supporter_id, account, sum(on_own_side(account, cents)) as cents from recent_entries entry join audited_supporters using (supporter_id)
      where booked_on > closed_until and booked_on <= ${until} group by 1, 2
      union all
      select supporter_id, account, sum(on_own_side(account, cents)) from ledger_entries entry join audited_supporters using (supporter_id)
      where closed_until is null and booked_on <= ${until} group by 1, 2
    ) as moved using (supporter_id, account)
    where audited.closed_until is null or moved.cents is not null`;
  return [...balances];
}

/** Keeps what balances were at the end of a day, each once. */
export async function closeBalances(db: Db, until: IsoDate, balances: ClosedBalance[]): Promise<void> {
  await db`
    with closed as (
      select * from unnest(${balances.map(({ supporterId }) => supporterId)}::uuid[],
        ${balances.map(({ account }) => account)}::ledger_account[], ${balances.map(({ cents }) => cents)}::bigint[]
      ) as balance (supporter_id, account, cents)
    ), locked as materialized ( -- in the order of those who post
      select supporter_id, account, closed.cents from ledger_balances join closed using (supporter_id, account)
      where coalesce(closed_until, '-infinity') < ${until}
      order by supporter_id, account for no key update of ledger_balances
    )
    update ledger_balances balance set closed_cents = locked.cents, closed_until = ${until}
    from locked where balance.supporter_id = locked.supporter_id and balance.account = locked.account`;
}
