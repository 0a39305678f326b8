import { type Cents, cents, type SetAside } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { Legs } from '#features/ledger/post.ts';

/** Locks and returns a supporter's set-aside until the transaction ends. */
async function lockSetAside(db: Db, supporterId: string): Promise<SetAside> {
  await db`select from supporters where supporter_id = ${supporterId} for no key update`;
  const [now] = await db<{ payable: number; recoverable: number }[]>`
    select coalesce(sum(cents) filter (where account = 'savings_payable'), 0)::bigint as payable,
      coalesce(sum(cents) filter (where account = 'savings_recoverable'), 0)::bigint as recoverable
    from ledger_balances where supporter_id = ${supporterId}`;
  return { payable: cents(now?.payable ?? 0), recoverable: cents(now?.recoverable ?? 0) };
}

/** The legs that bring the set-aside from one state to the other (docs/decisions/0010). */
export async function changeSetAside(
  db: Db,
  supporterId: string,
  rule: (before: SetAside, amount: Cents) => SetAside,
  amount: Cents,
): Promise<Legs> {
  if (amount === 0) return {};
  const before = await lockSetAside(db, supporterId);
  const after = rule(before, amount);
  return {
    savings_payable: before.payable - after.payable,
    savings_recoverable: after.recoverable - before.recoverable,
  };
}
