import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClock, aPurchase, aSupporter, aTenant, someTenants } from '#testing/makers.ts';
import { userRecord } from './user-record.ts';

const database = ownDatabase();
const clock = aClock();

test("an amount below the tenant's minimum shows the amount from which it is debited", async () => {
  const tenants = someTenants(aTenant({ minimumDebitCents: cents(200) }));
  const { supporterId, ...supporter } = await aSupporter(database.pool);
  const nextDebit = async () =>
    (await userRecord({ db: database.pool.of(supporterId), clock, tenants }, supporterId)).nextDebit;
  const buy = (amount: number) =>
    recordRoundUps(database.pool.of(supporterId), clock.now(), [
      aPurchase({ supporterId, ...supporter }, { cents: amount }),
    ]);
  expect(await nextDebit()).toMatchObject({ amountCents: 0, minimumCents: 200 });
  await buy(401);
  await buy(499);
  expect(await nextDebit()).toMatchObject({ amountCents: 100, minimumCents: 200 });
  await buy(500 + 1);
  await buy(499);
  expect(await nextDebit()).toMatchObject({ amountCents: 200 });
  expect(await nextDebit()).not.toHaveProperty('minimumCents');
});
