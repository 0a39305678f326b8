import { cents, formatCents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { Tenants } from './load-tenants.ts';

/** Smallest gift that is tax-deductible in Australia. */
const leastDeductible = cents(200);

/**
 * Advises tenants whose gifts are deductible to debit no less than what counts as one. Small debits stay allowed: several
 * may add up to what a supporter would rather give at once.
 */
export async function adviseOnMinimum(db: Db, tenants: Tenants): Promise<string[]> {
  const deductible = await db<{ id: string; parentId: string | null }[]>`
    select id, parent_id as "parentId" from clubs where dgr_since is not null`;
  return tenants.list().flatMap(({ key, clubID, parentClubId, minimumDebitCents }) => {
    const own = [clubID, parentClubId].filter((id) => id !== undefined);
    const isOwn = ({ id, parentId }: { id: string; parentId: string | null }) =>
      own.length === 0 || own.includes(id) || (parentId !== null && own.includes(parentId));
    if (minimumDebitCents >= leastDeductible || !deductible.some(isOwn)) return [];
    return [
      `${key}: gifts are deductible, but only from ${formatCents(leastDeductible)}; minimumDebitCents is ${minimumDebitCents}, ${leastDeductible} is advised`,
    ];
  });
}
