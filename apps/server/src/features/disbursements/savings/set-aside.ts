import { type Cents, lastDayOf, type Month, noCents, type SetAside, subtract } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { Legs } from '#features/core/ledger/post.ts';

/**
 * Selects cents in the set-aside that cleared after a month, by supporter, for one or all, without amounts reversed or
 * refunded.
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

/** Returns supporters' set-asides, locked until the transaction ends, always in one order. */
async function lockSetAsides(db: Db, supporterIds: string[]): Promise<Map<string, SetAside>> {
  if (supporterIds.length === 0) return new Map();
  await db`
    select from supporters where supporter_id = any(${supporterIds}::uuid[]) order by supporter_id for no key update`;
  const found = await db<(SetAside & { supporterId: string })[]>`
    select supporter_id as "supporterId", coalesce(sum(cents) filter (where account = 'savings_payable'), 0)::bigint as payable,
      coalesce(sum(cents) filter (where account = 'savings_recoverable'), 0)::bigint as recoverable
    from ledger_balances where supporter_id = any(${supporterIds}::uuid[]) group by supporter_id`;
  return new Map(found.map(({ supporterId, ...setAside }) => [supporterId, setAside]));
}

const nothing: SetAside = { payable: noCents, recoverable: noCents };

type Rule = (before: SetAside, amount: Cents) => SetAside;

/**
 * Returns the legs of each change of set-asides; a supporter's changes follow one another
 * (docs/decisions/savings-and-refunds.md#set-aside-in-the-ledger).
 */
export async function lockAndComputeLegs(
  db: Db,
  rule: Rule,
  changes: { supporterId: string; amount: Cents }[],
): Promise<Legs[]> {
  const changing = changes.filter(({ amount }) => amount !== 0).map(({ supporterId }) => supporterId);
  const setAsides = await lockSetAsides(db, changing);
  return changes.map(({ supporterId, amount }) => {
    if (amount === 0) return {};
    const before = setAsides.get(supporterId) ?? nothing;
    const after = rule(before, amount);
    setAsides.set(supporterId, after);
    return {
      savings_payable: subtract(before.payable, after.payable),
      savings_recoverable: subtract(after.recoverable, before.recoverable),
    };
  });
}

/** Returns the legs of one change. */
export async function lockAndComputeSetAsideLegs(
  db: Db,
  supporterId: string,
  rule: Rule,
  amount: Cents,
): Promise<Legs> {
  const [legs = {}] = await lockAndComputeLegs(db, rule, [{ supporterId, amount }]);
  return legs;
}
