import { addDays, type Cents, cents, formatCents, type IsoDate, total } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';

/** Days looked back on. */
const days = 28;

/** A debit is worth its cost when it brings at least this many times as much. */
const timesWorth = 5;

interface Brand {
  key: string;
  minimumDebitCents: Cents;
}

/**
 * Returns in words what a brand's round-up debits of the last four weeks cost and brought, and advises a smallest debit
 * where some cost more than they brought (docs/rules.md#minimum-debit). Empty where the cost is not known or nothing
 * was debited.
 */
export async function adviseOnCost(db: Pool, brand: Brand, costCents: Cents, day: IsoDate): Promise<string[]> {
  if (costCents === 0) return [];
  const parts = await inEachBucket(
    db,
    (bucket) => bucket<{ debits: number; brought: Cents; atALoss: number }[]>`
      select count(*)::int as debits, coalesce(sum(amount_cents), 0)::bigint as brought,
        (count(*) filter (where amount_cents < ${costCents}))::int as "atALoss"
      from debits join supporters using (supporter_id)
      where tenant_key = ${brand.key} and kind = 'round-up' and state in ('submitted', 'cleared')
        and run_date > ${addDays(day, -days)}`,
  );
  const sums = parts.flat();
  const sum = (of: 'debits' | 'atALoss') => sums.reduce((so, each) => so + each[of], 0);
  const debits = sum('debits');
  if (debits === 0) return [];
  const brought = formatCents(total(sums.map((each) => each.brought)));
  const cost = formatCents(cents(debits * costCents));
  const figures = `${brand.key}: ${counted(debits, 'debit')} of the last ${days} days brought ${brought} and cost ${cost}`;
  const loss = sum('atALoss');
  const worth = cents(costCents * timesWorth);
  if (loss === 0 || brand.minimumDebitCents >= costCents) return [figures];
  return [
    `${figures}; ${loss} of them cost more than they brought: a smallest debit (minimumDebitCents) of ${worth} is advised`,
  ];
}
