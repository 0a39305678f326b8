import { expect, test } from 'vitest';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { syncPurchases } from '#features/supporters/round-ups/sync-purchases.ts';
import { basiqOnSandbox } from '#providers/testing/basiq-on-sandbox.ts';
import { aDatabase, inBucketOf } from '#testing/database.ts';
import { aSupporter, aTenant, someTenants, testEncryption } from '#testing/makers.ts';

const robin = { email: 'robin@example.com', mobile: '0400000000', firstName: 'Robin', lastName: 'Banks' };
const edgeCase = /^(NIGHT KIOSK|SAME CAFE|ONE CENT|CARD CHECK|IN ANOTHER|OF NO CLASS|Café|LONG)/;

test.each([0, 1, 2])('a statement full of unusual lines is rounded as it should be, at bank %i', async (bank) => {
  const [database, basiq] = await Promise.all([aDatabase(), basiqOnSandbox()]);
  const bankCustomerId = await basiq.bankLink.createCustomer(robin);
  const institution = ['AU00000', 'AU00101', 'AU00202'][bank];
  await basiq.control('/connections', { userId: bankCustomerId, crn: '90000006', institution });
  await basiq.pass(3_000);
  const [account] = await basiq.bankLink.listAccounts(bankCustomerId);
  const overrides = { bankCustomerId, providerAccountId: account?.id ?? '', roundsFrom: '2026-09-30' };
  const { supporterId } = await aSupporter(database.pool, overrides);
  const { bankLink, now } = basiq;
  const tenants = someTenants(aTenant());
  const deps = {
    db: database.pool,
    clock: { now },
    bankLink,
    encryption: testEncryption,
    tenants,
    statementName: 'SPARECHANGE',
  };
  await syncPurchases(inBucketOf(deps, supporterId), supporterId);
  const rows = await database.rows<{ description: string; day: string; cents: number }[]>`
    select description, posted_on as day, raw_cents as cents from round_ups order by posted_on, seq`;
  const october = rows.filter(({ description, day }) => edgeCase.test(description) && day <= '2026-10-31');
  const long = `LONG ${'ABCDEFGHI '.repeat(12)}`.slice(0, 120).trim();
  const middle = [
    ['SAME CAFE SAME DAY', 65],
    ['SAME CAFE SAME DAY', 65],
    ['ONE CENT', 99],
    ['Café Ngū — 珍珠奶茶 🧋 <b>&amp; Sons', 50],
    [long, 50],
  ];
  const on = (day: string) =>
    october.filter((row) => row.day === day).map(({ description, cents }) => [description, cents]);
  for (const day of ['2026-09-30', '2026-10-01', '2026-10-04', '2026-10-31']) {
    expect(on(day)).toEqual([[`NIGHT KIOSK ${day}`, 65]]);
  }
  expect(on('2026-10-15').toSorted()).toEqual(middle.toSorted());
  expect(october).toHaveLength(4 + middle.length);
  expect(await syncPurchases(inBucketOf(deps, supporterId), supporterId)).toMatchObject({ roundUps: 0 });
  expect((await auditBooks(database.pool)).violations).toEqual([]);
  await Promise.all([database.drop(), basiq.close()]);
});
