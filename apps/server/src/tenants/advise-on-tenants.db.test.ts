import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { emptiedDatabase } from '#testing/database.ts';
import { aClub, aTenant, someTenants } from '#testing/makers.ts';
import { adviseOnTenants } from './advise-on-tenants.ts';

const database = emptiedDatabase();

test('a tenant whose gifts are deductible is advised to debit at least $2', async () => {
  const [parent, other] = [await aClub(database.pool), await aClub(database.pool)];
  const child = await aClub(database.pool, { parentId: parent });
  await database.rows`update clubs set abn = '22803635522', dgr_since = '2020-01-01' where id = ${child}`;
  const tenants = someTenants(
    aTenant({ key: 'everybody' }),
    aTenant({ key: 'parent', parentClubId: parent }),
    aTenant({ key: 'enough', clubID: child, minimumDebitCents: cents(200) }),
    aTenant({ key: 'other', clubID: other }),
  );
  expect(await adviseOnTenants(database.pool, tenants)).toEqual([
    'everybody: gifts are deductible, but only from $2.00; the smallest debit (minimumDebitCents) is 0, 200 is advised',
    'parent: gifts are deductible, but only from $2.00; the smallest debit (minimumDebitCents) is 0, 200 is advised',
  ]);
});

test("a file copied with another tenant's club or name is warned of", async () => {
  const club = await aClub(database.pool, { name: 'Bay Rovers' });
  const tenants = someTenants(
    aTenant({ key: 'first', tenant: 'first', clubID: club }),
    aTenant({ key: 'copied', tenant: 'first', clubID: club }),
    aTenant({ key: 'everybody', tenant: 'everybody' }),
    aTenant({ key: 'anybody', tenant: 'anybody' }),
  );
  expect(await adviseOnTenants(database.pool, tenants)).toEqual([
    `first, copied: all have one club, Bay Rovers (clubID ${club}); supporters of each of them give to it`,
    'first, copied: all have the tenant first',
  ]);
});
