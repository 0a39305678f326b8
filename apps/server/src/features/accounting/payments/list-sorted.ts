import type { PaymentSort } from '@sparechange/contract/console';
import type { Pool } from '#db/connect.ts';
import { type ListedPayment, listSelected, type PaymentFilter, selectPayments } from './search-payments.ts';
import { type Cursor, readSort, writeCursor } from './sort-payments.ts';

interface Wanted {
  sort: PaymentSort;
  /** Where the previous page ended. */
  after?: Cursor | undefined;
  limit: number;
}

/**
 * Lists a page of a filter's payments, sorted over all of its pages, with the cursor of the next. Throws InvalidInput for
 * an ambiguous text.
 */
export async function listSorted(pool: Pool, filter: PaymentFilter, { sort, after, limit }: Wanted) {
  const selection = await selectPayments(pool, filter);
  const { order, groups } = readSort(sort);
  const listed: { row: ListedPayment; group: number }[] = [];
  for (const [group, only] of groups.entries()) {
    const isOther = (['kind', 'state'] as const).some(
      (name) => only[name] && (filter[name] ?? only[name]) !== only[name],
    );
    if (isOther || group < (after?.group ?? 0)) continue;
    const page = { order, after: group === after?.group ? after.after : undefined, limit: limit + 1 - listed.length };
    for (const row of await listSelected(pool, { ...selection, ...only }, page)) listed.push({ row, group });
    if (listed.length > limit) break;
  }
  const last = listed.length > limit ? listed[limit - 1] : undefined;
  return {
    rows: listed.slice(0, limit).map(({ row }) => row),
    next: last ? writeCursor({ group: last.group, after: last.row }) : null,
  };
}
