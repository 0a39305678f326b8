import { purchaseRefundDays } from '@sparechange/domain';
import { type Finding, ofBuckets } from './check.ts';

/** Invariants between refunds, their purchases and the debits they reduce. */
export const checksOfPurchaseRefunds = ofBuckets({
  'each refund is taken off one debit': (db) => db<Finding[]>`
    with deleted as (
      select supporter_id, max(deleted_at) as at from bank_data_deletions group by 1
    ), taken as (
      select supporter_id, taken_off_by as id, sum(cents)::bigint as cents
      from purchase_refunds where taken_off_by is not null group by 1, 2
    ), less as (
      select supporter_id, debit.id, refunds_cents as cents
      from debits debit left join deleted using (supporter_id)
      where refunds_cents > 0 and planned_at > coalesce(deleted.at, '-infinity')
    ), compared as (
      select id, coalesce(less.cents, 0) as less, coalesce(taken.cents, 0) as taken
      from less full join taken using (supporter_id, id)
    )
    select null as violation, count(*) as checked from compared
    union all select format('debit %s is less by %s, its refunds are %s', id, less, taken), 0
    from compared where less <> taken`,

  'each refund pays its purchase back': (db) => db<Finding[]>`
    with paired as (
      select refund.*, purchase.account_id as at_account, purchase.posted_on as purchased_on, purchase.counted_cents
      from purchase_refunds refund left join round_ups purchase
        on purchase.supporter_id = refund.supporter_id and purchase.seq = refund.round_up_seq
    )
    select null as violation, count(*) as checked from paired
    union all select format('refund %s of %s on %s takes off %s, its purchase of %s gave %s', id, supporter_id, posted_on, cents,
      purchased_on, counted_cents), 0
    from paired where cents is distinct from counted_cents or account_id is distinct from at_account
      or posted_on - purchased_on not between 0 and ${purchaseRefundDays}`,
});
