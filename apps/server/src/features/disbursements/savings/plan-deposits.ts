import { type Cents, type IsoDate, type Month, total } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { type Clock, today } from '#ports/clock.ts';
import { setAsideAfter } from './set-aside.ts';

export interface DepositPlan {
  planned: number;
  totalCents: Cents;
}

/**
 * Plans one deposit per supporter for the remaining set-aside up to the end of a month (docs/rules.md#monthly-deposit).
 * Planning again adds only supporters who could not be planned before, and those whose deposit failed and is due again
 * or who have linked another account since (docs/decisions/savings-and-refunds.md#deposits).
 */
export async function planDeposits(pool: Pool, clock: Clock, month: Month): Promise<DepositPlan> {
  const plans = await inEachBucket(pool, (bucket) =>
    bucket.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('sparechange.plan deposits'))`;
      return insertDeposits(tx, month, clock.now(), today(clock));
    }),
  );
  return {
    planned: plans.flat().reduce((sum, { planned }) => sum + planned, 0),
    totalCents: total(plans.flat().map(({ totalCents }) => totalCents)),
  };
}

/**
 * Plans everybody of a bucket in one statement: the set-aside less amounts cleared after the month, a deposit for it,
 * and its transfer out of the set-aside. Supporters and balances are locked first, so that a concurrent reversal is
 * either seen or waits.
 */
function insertDeposits(tx: Db, month: Month, now: Date, bookedOn: IsoDate) {
  return tx<DepositPlan[]>`
    with balance as (
      select supporter_id, balance.cents from ledger_balances balance join supporters supporter using (supporter_id)
      where account = 'savings_payable' and balance.cents > 0 order by supporter_id
      for no key update of supporter for update of balance
    ), later as (${setAsideAfter(tx, month)}), due as (
      select supporter_id, (balance.cents - coalesce(later.cents, 0))::bigint as cents, savings.masked_number,
        savings.linked_at, supporter.club_id, uuidv7() as id,
        (select coalesce(max(attempt), 0) + 1 from deposits earlier
          where earlier.supporter_id = balance.supporter_id and earlier.month = ${month}) as attempt
      from balance left join later using (supporter_id)
      join supporters supporter using (supporter_id)
      join savings_accounts savings using (supporter_id)
      where balance.cents > coalesce(later.cents, 0) and savings.refused_at is null
        and coalesce(savings.receives_from <= ${bookedOn}, true) and not exists (
        select from deposits earlier where earlier.supporter_id = balance.supporter_id and earlier.month = ${month}
          and (earlier.state in ('planned', 'submitting', 'submitted', 'cleared')
            or (earlier.account_linked_at = savings.linked_at and coalesce(earlier.retry_on > ${bookedOn}, true))))
    ), planned as (
      insert into deposits (supporter_id, id, month, attempt, amount_cents, masked_number, account_linked_at, reference, planned_at)
      select supporter_id, id, ${month}, attempt, cents, masked_number, linked_at, payout_reference('SV', id), ${now} from due
    ), posted as (
      insert into ledger_entries (supporter_id, kind, source, account, cents, club_id, booked_on)
      select supporter_id, 'deposit_planned', id, leg.account, due.cents * leg.sign, club_id, ${bookedOn}
      from due cross join (values ('savings_payable'::ledger_account, 1), ('savings_depositing', -1)) as leg (account, sign)
    )
    select count(*) as planned, coalesce(sum(cents), 0)::bigint as "totalCents" from due`;
}
