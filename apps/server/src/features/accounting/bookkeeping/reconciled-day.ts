import { addDays, type Cents, type IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { maxDaysLater, nameOfSettlement } from '#features/accounting/bank-statements/match-lines.ts';
import { type BankLine, type ComparedDay, compareDay, type Settlement } from './compare-day.ts';

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
  comparison: ComparedDay & {
    /** Rows beyond the most that are compared. */
    more: number;
  };
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
  return {
    bank,
    provider: provider ?? null,
    ledger: [...ledger],
    comparison: await readComparison(db, day, bank.lines),
  };
}

/** The most lines of a day that are compared one by one, open ones first. */
const maxLines = 500;

async function readComparison(db: Db, day: IsoDate, lines: number): Promise<ReconciledDay['comparison']> {
  const around = await db<BankLine[]>`
    select account || ' ' || line_id as id, booked_on as "bookedOn", line.cents, description, reference,
      matched_kind as "matchedKind", matched_with as "matchedWith", settlement.cents as "settledCents"
    from bank_statement_lines line left join provider_settlements settlement
      on matched_kind = 'settlement' and matched_with = ${nameOfSettlement(db)}
    where booked_on = ${day}
      or (matched_kind is null and reference is null and booked_on between ${day} and ${addDays(day, maxDaysLater)})
    order by booked_on <> ${day}, matched_kind is not null, abs(line.cents) desc, line_id limit ${maxLines}`;
  const settlements = await db<Settlement[]>`
    select ${nameOfSettlement(db)} as name, settled_on as "settledOn", settlement.cents,
      line.cents as "bankCents", booked_on as "bankDay"
    from provider_settlements settlement left join bank_statement_lines line
      on matched_kind = 'settlement' and matched_with = ${nameOfSettlement(db)}
    where settled_on between ${addDays(day, -maxDaysLater)} and ${day} and (settled_on = ${day} or line.cents is null)
    order by settled_on, batch limit ${maxLines}`;
  const [last] = await db<{ day: IsoDate | null }[]>`select max(booked_on) as day from bank_statement_lines`;
  return { ...compareDay(day, around, settlements, last?.day ?? undefined), more: Math.max(0, lines - maxLines) };
}
