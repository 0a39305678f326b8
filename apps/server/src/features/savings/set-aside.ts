import { type Cents, noCents, type SetAside, subtract } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { Legs } from '#features/ledger/post.ts';

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
