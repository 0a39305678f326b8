import type { PaymentSums } from '@sparechange/contract/console';
import { type Cents, total } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf } from '#db/in-each-bucket.ts';
import type { PaymentKind } from './parked-payments.ts';
import {
  type PaymentFilter,
  type PaymentSelection,
  payoutsOf,
  selectPayments,
  sourcesOfSupporters,
} from './search-payments.ts';

/** Payments of a table and bucket that are summed: more take longer than a page waits. */
const maxSummed = 100_000;

interface Sum {
  kind: PaymentKind;
  payments: number;
  cents: Cents;
  isCut: boolean;
}

function ofSupporters(db: Db, selection: PaymentSelection): PromiseLike<Sum[]> {
  const parts = sourcesOfSupporters(db, selection).map(
    ({ table, kind, which }) => db`
      select kind, count(*) as payments, sum(amount_cents)::bigint as cents, sum(count(*)) over () > ${maxSummed} as "isCut"
      from (select ${kind} as kind, amount_cents from ${table} where ${which} limit ${maxSummed + 1}) payment group by 1`,
  );
  if (parts.length === 0) return Promise.resolve([]);
  return db<Sum[]>`${parts.reduce((so, part) => db`${so} union all ${part}`)}`;
}

function ofClubs(db: Db, selection: PaymentSelection): PromiseLike<Sum[]> {
  const which = payoutsOf(db, selection);
  if (!which) return Promise.resolve([]);
  return db<Sum[]>`
    select 'remittance' as kind, count(*) as payments, sum(amount_cents)::bigint as cents, count(*) > ${maxSummed} as "isCut"
    from (select amount_cents from remittances where ${which} limit ${maxSummed + 1}) payment having count(*) > 0`;
}

/** Sums a filter's payments by kind over all buckets; a table with more than are summed is cut. */
export async function sumPayments(pool: Pool, filter: PaymentFilter): Promise<Omit<PaymentSums, 'silentServers'>> {
  const selection = await selectPayments(pool, filter);
  const [clubs, supporters] = await Promise.all([
    ofClubs(pool, selection),
    rowsOf(pool.inBuckets(), (bucket) => ofSupporters(bucket, selection)),
  ]);
  const rows = [...clubs, ...supporters];
  const sums = [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, ofKind]) => ({
    kind,
    payments: ofKind.reduce((sum, { payments }) => sum + payments, 0),
    cents: total(ofKind.map(({ cents }) => cents)),
  }));
  return { sums, isCut: rows.some(({ isCut }) => isCut) };
}
