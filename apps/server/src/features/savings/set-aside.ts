import { type Cents, lastDayOf, type Month, noCents, type SetAside, subtract } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { Legs } from '#features/ledger/post.ts';

/**
 * Selects the cents by supporter, of one or of all, that are in the set-aside and cleared after a month: what was reversed or
 * refunded of them is no longer there.
 */
export const setAsideAfter = (db: Db, month: Month, supporterId?: string) => db`
  select supporter_id, sum(greatest(0, -entry.cents - coalesce(refunded.cents, 0)))::bigint as cents
  from ledger_entries entry
  left join lateral (
    select sum(savings_cents)::bigint as cents from repayments
    where repayments.supporter_id = entry.supporter_id and debit_id = entry.source
      and state not in ('returned', 'reversed', 'refused')
  ) refunded on true
  where account = 'savings_payable' and kind = 'cleared' and booked_on > ${lastDayOf(month)}
    and ${supporterId ? db`entry.supporter_id = ${supporterId}` : db`true`}
    and not exists (select from ledger_entries undone where undone.supporter_id = entry.supporter_id
      and undone.kind = 'reversed' and undone.source = entry.source)
  group by supporter_id`;

/** Returns a supporter's set-aside, locked until the transaction ends. */
async function lockSetAside(db: Db, supporterId: string): Promise<SetAside> {
  await db`select from supporters where supporter_id = ${supporterId} for no key update`;
  const [now] = await db<SetAside[]>`
    select coalesce(sum(cents) filter (where account = 'savings_payable'), 0)::bigint as payable,
      coalesce(sum(cents) filter (where account = 'savings_recoverable'), 0)::bigint as recoverable
    from ledger_balances where supporter_id = ${supporterId}`;
  return now ?? { payable: noCents, recoverable: noCents };
}

/** Returns the legs that change the set-aside (docs/decisions/0010). */
export async function lockAndComputeSetAsideLegs(
  db: Db,
  supporterId: string,
  rule: (before: SetAside, amount: Cents) => SetAside,
  amount: Cents,
): Promise<Legs> {
  if (amount === 0) return {};
  const before = await lockSetAside(db, supporterId);
  const after = rule(before, amount);
  return {
    savings_payable: subtract(before.payable, after.payable),
    savings_recoverable: subtract(after.recoverable, before.recoverable),
  };
}
