import { beforeEach, expect, test } from 'vitest';
import { tenantSites } from '#tenants/tenant-site.ts';
import { emptiedDatabase } from '#testing/database.ts';
import { aClock, aClub, aTenant, someTenants } from '#testing/makers.ts';
import { retireClub } from './edit-club.ts';
import { landingSource } from './landings.ts';

const clubId = 'b0b0b0b0-0000-4000-8000-000000000001';
const leagueId = 'b0b0b0b0-0000-4000-8000-000000000002';
const own = aTenant({ key: 'bay-surf', clubID: clubId });
const league = aTenant({ key: 'bay-league', clubID: leagueId, parentClubId: leagueId });
const main = aTenant({ key: 'sparechange', clubID: clubId });
const tenants = someTenants(aTenant(), own, league, main);
const database = emptiedDatabase();
const clock = aClock();
const deps = () => ({ db: database.pool, clock });

beforeEach(async () => {
  await aClub(database.pool, { id: clubId, name: 'Bay Surf', slug: 'bay-surf-club' });
  await aClub(database.pool, { id: leagueId, name: 'Bay League', slug: 'bay-league-clubs' });
});

const site = {
  productUrl: 'https://giving.example',
  productDomain: 'giving.example',
  tenantRule: 'provider-domain',
} as const;
const ended = async () => {
  const landings = landingSource({ ...deps(), tenants, sites: tenantSites(site, tenants), mainTenant: 'sparechange' });
  const brands = await Promise.all([own, league, main].map((tenant) => landings.at(tenant)));
  return brands.map((each) => each?.brand.hasEnded);
};

test('the brand of one club has ended once its club is retired, brands with a choice of clubs have not', async () => {
  expect(await ended()).toEqual([false, false, false]);
  for (const id of [clubId, leagueId]) await retireClub({ ...deps(), by: 'alice' }, id);
  expect(await ended()).toEqual([true, false, false]);
});
