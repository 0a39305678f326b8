import { cents, formatCents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { withChanges } from './current-settings.ts';
import { type ParsedSettings, problemsTogether, type Settings, type Tenants, tenantsOf } from './load-tenants.ts';

/** Smallest gift that is tax-deductible in Australia. */
const leastDeductible = cents(200);

/** Advises on settings that are allowed and may be mistakes. */
export const adviseOnTenants = async (db: Db, tenants: Tenants): Promise<string[]> => [
  ...(await sharedClubs(db, tenants)),
  ...sharedBy(tenants, 'tenant').map(({ keys, value }) => `${keys}: all have the tenant ${value}`),
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
function sharedBy(tenants: Tenants, setting: 'clubID' | 'tenant'): { keys: string; value: string }[] {
  const sharing = Map.groupBy(tenants.list(), (tenant) => tenant[setting]);
  return [...sharing].flatMap(([value, all]) =>
    value === undefined || all.length < 2 ? [] : [{ keys: all.map(({ key }) => key).join(', '), value }],
  );
}

async function sharedClubs(db: Db, tenants: Tenants): Promise<string[]> {
  const shared = sharedBy(tenants, 'clubID');
  const clubs = await db<{ id: string; name: string }[]>`
    select id, name from clubs where id = any(${shared.map(({ value }) => value)}::uuid[])`;
  return shared.map(({ keys, value }) => {
    const name = clubs.find(({ id }) => id === value)?.name;
    return `${keys}: all have one club, ${name ?? 'unknown'} (clubID ${value}); supporters of each of them give to it`;
  });
}

/**
 * Advises tenants whose gifts are deductible to debit no less than what counts as one. Small debits stay allowed:
 * several may add up to what a supporter would rather give in one sum.
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
