import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { emptiedDatabase } from '#testing/database.ts';
import { aClub, aTenant, someTenants } from '#testing/makers.ts';
import { adviseOnMinimum } from './advise-on-minimum.ts';

const database = emptiedDatabase();

test('a tenant whose gifts are deductible is advised to debit at least $2', async () => {
  const [parent, other] = [await aClub(database.pool), await aClub(database.pool)];
  const child = await aClub(database.pool, { parentId: parent });
  await database.pool`update clubs set abn = '22803635522', dgr_since = '2020-01-01' where id = ${child}`;
  const tenants = someTenants(
    aTenant({ key: 'everybody' }),
    aTenant({ key: 'parent', parentClubId: parent }),
    aTenant({ key: 'enough', clubID: child, minimumDebitCents: cents(200) }),
    aTenant({ key: 'other', clubID: other }),
  );
  expect(await adviseOnMinimum(database.pool, tenants)).toEqual([
    'everybody: gifts are deductible, but only from $2.00; minimumDebitCents is 0, 200 is advised',
    'parent: gifts are deductible, but only from $2.00; minimumDebitCents is 0, 200 is advised',
  ]);
});
