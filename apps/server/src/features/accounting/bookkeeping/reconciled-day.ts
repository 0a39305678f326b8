import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

interface BankDay {
  lines: number;
  inCents: Cents;
  outCents: Cents;
  open: number;
  openCents: Cents;
}

export interface ReconciledDay {
  bank: BankDay;
  /** Null until a reconciliation has read its settlements. */
  provider: { payments: number; cents: Cents; readAt: Date } | null;
  ledger: { account: string; cents: Cents }[];
}

/** Reads a Sydney day from the bank statement, the provider's settlements and the platform's ledger. */
export async function readDay(db: Db, day: IsoDate): Promise<ReconciledDay> {
  const [bank] = await db<BankDay[]>`
    select count(*)::int as lines, coalesce(sum(cents) filter (where cents > 0), 0)::bigint as "inCents",
      coalesce(-sum(cents) filter (where cents < 0), 0)::bigint as "outCents",
      count(*) filter (where matched_kind is null)::int as open,
      coalesce(sum(cents) filter (where matched_kind is null), 0)::bigint as "openCents"
    from bank_statement_lines where booked_on = ${day}`;
  const [provider] = await db<NonNullable<ReconciledDay['provider']>[]>`
    select sum(payments)::int as payments, sum(cents)::bigint as cents, max(read_at) as "readAt"
    from provider_settlements where settled_on = ${day} having count(*) > 0`;
  const ledger = await db<ReconciledDay['ledger']>`
    select account::text, sum(case when is_platform_asset(account) then cents else -cents end)::bigint as cents
    from platform_entries where booked_on = ${day} group by account having sum(cents) <> 0 order by account`;
  if (!bank) throw new Error('A count has a row.');
  return { bank, provider: provider ?? null, ledger: [...ledger] };
}
