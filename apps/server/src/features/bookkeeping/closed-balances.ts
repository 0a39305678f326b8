import type { IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

/** Makes a table of this session alone for balances that are closed once the audit's transaction is over. */
export async function makeBalancesToClose(session: Db): Promise<void> {
  await session`
    create temp table balances_to_close (batch integer, supporter_id uuid, account ledger_account, cents bigint)`;
}

/** Collects the audited supporters' balances at the end of a day, of accounts that moved since they were last closed. */
export async function collectBalancesToClose(tx: Db, batch: number, until: IsoDate): Promise<void> {
  await tx`
    insert into balances_to_close
    select ${batch}::integer, supporter_id, account, closed_cents + coalesce(moved.cents, 0)
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
}

/** Keeps what the balances of a batch were at the end of a day, locked in the order of those who post. */
export async function closeBalances(session: Db, batch: number, until: IsoDate): Promise<void> {
  await session`
    with locked as materialized (
      select supporter_id, account, closing.cents from ledger_balances
      join balances_to_close closing using (supporter_id, account)
      where closing.batch = ${batch} and coalesce(closed_until, '-infinity') < ${until}
      order by supporter_id, account for no key update of ledger_balances
    )
    update ledger_balances balance set closed_cents = locked.cents, closed_until = ${until}
    from locked where balance.supporter_id = locked.supporter_id and balance.account = locked.account`;
}
