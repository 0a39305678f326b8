import { createHash } from 'node:crypto';
import { type Db, table } from '#world/database.ts';
import type { Cents } from '#world/money.ts';

/** An amount booked by the provider alone, such as a fee or a correction. */
interface Adjustment {
  id: number;
  at: number;
  cents: Cents;
  description: string;
}

const adjustments = table<Adjustment, 'id'>('float_adjustments');

export const addAdjustment = (db: Db, adjustment: Omit<Adjustment, 'id'>): Adjustment =>
  adjustments.insert(db, adjustment);

/** Lists movements of our account, each once it has cleared, a debit claimed back once more. */
export const movements = `
  select ref as name, cleared_at as at, amount as cents, 'collected' as kind, description as words, bank_ref as description
  from transactions where side = 'ours' and type = 'credit' and category = 'payout' and cleared_at is not null
  union all
  select ref, cleared_at, -amount, 'paid', description, bank_ref
  from transactions where side = 'ours' and type = 'debit' and cleared_at is not null
  union all
  select returned.ref, returned.cleared_at, returned.amount, 'payout returned', payout.description, returned.bank_ref
  from transactions returned join payouts payout on payout.ref = returned.parent_ref
  where returned.category = 'payout_reversal' and returned.cleared_at is not null
  union all
  select ref || '-R', status_changed_at, -amount, 'claimed back', description, bank_ref from transactions
  where side = 'ours' and type = 'credit' and category = 'payout' and status = 'returned' and cleared_at is not null
  union all
  select 'adjustment ' || id, at, cents, 'adjusted', description, description from float_adjustments`;

export const floatBalance = (db: Db): Cents =>
  db.find<{ balance: number | null }>(`select sum(cents) as balance from (${movements})`)?.balance ?? 0;

export interface Entry {
  id: string;
  at: number;
  cents: Cents;
  description: string;
  balance: Cents;
}

/** Returns a permanent id for a movement, in the form of Zepto's own. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `7${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

const secondMs = 1_000;

/** Lists the entries of some seconds, the newest first; those of one second are in no certain order. */
export function entriesBetween(db: Db, from: number, until: number): Entry[] {
  const rows = db.all<Omit<Entry, 'id'> & { name: string }>(
    `select * from (
       select *, sum(cents) over (order by at, name rows unbounded preceding) as balance from (${movements}))
     where at >= ?1 and at < ?2`,
    from,
    until + secondMs, // as both are shown in seconds
  );
  const seconds = (at: number): number => Math.floor(at / secondMs);
  return rows
    .map(({ name, ...row }) => ({ ...row, id: idOf(name) }))
    .sort((one, other) => seconds(other.at) - seconds(one.at) || other.id.localeCompare(one.id));
}
