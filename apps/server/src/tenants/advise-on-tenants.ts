import { cents, formatCents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { withChanges } from './current-settings.ts';
import { type ParsedSettings, problemsTogether, type Settings, type Tenants, tenantsOf } from './load-tenants.ts';

/** Smallest gift that is tax-deductible in Australia. */
const leastDeductible = cents(200);

/** Advises on settings that are allowed and may be mistakes. */
export const adviseOnTenants = async (db: Db, tenants: Tenants): Promise<string[]> => [
  ...sharedBy(tenants, 'clubID', '; supporters of each of them give to that club'),
  ...sharedBy(tenants, 'tenant'),
  ...(await lowMinimums(db, tenants)),
];

/** Advises on one tenant's settings as if they were saved beside the others; not before they can be read. */
export async function adviseOnChange(db: Db, change: ParsedSettings, others: readonly Settings[]): Promise<string[]> {
  if (change.problems) return [];
  const all = withChanges([...others], [change]);
  if (problemsTogether(all).length > 0) return [];
  const advice = await adviseOnTenants(db, tenantsOf(all));
  return advice.filter((sentence) => sentence.slice(0, sentence.indexOf(':')).split(', ').includes(change.key));
}

/** Finds tenants with one value of a setting, as a copied file has that of its original. */
function sharedBy(tenants: Tenants, setting: 'clubID' | 'tenant', consequence = ''): string[] {
  const sharing = Map.groupBy(tenants.list(), (tenant) => tenant[setting]);
  return [...sharing].flatMap(([value, all]) =>
    value === undefined || all.length < 2
      ? []
      : [`${all.map(({ key }) => key).join(', ')}: all have the ${setting} ${value}${consequence}`],
  );
}

/**
 * Advises tenants whose gifts are deductible to debit no less than what counts as one. Small debits stay allowed: several
 * may add up to what a supporter would rather give at once.
 */
async function lowMinimums(db: Db, tenants: Tenants): Promise<string[]> {
  const deductible = await db<{ id: string; parentId: string | null }[]>`
    select id, parent_id as "parentId" from clubs where dgr_since is not null`;
  return tenants.list().flatMap(({ key, clubID, parentClubId, minimumDebitCents }) => {
    const own = [clubID, parentClubId].filter((id) => id !== undefined);
    const isOwn = ({ id, parentId }: { id: string; parentId: string | null }) =>
      own.length === 0 || own.includes(id) || (parentId !== null && own.includes(parentId));
    if (minimumDebitCents >= leastDeductible || !deductible.some(isOwn)) return [];
    return [
      `${key}: gifts are deductible, but only from ${formatCents(leastDeductible)}; the smallest debit (minimumDebitCents) is ${minimumDebitCents}, ${leastDeductible} is advised`,
    ];
  });
}
