import { cents } from '@sparechange/domain';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connect, type Pool } from '#db/connect.ts';
import { migrate } from '#db/migrate.ts';
import { submitDebits } from '#features/debits/submit-debits.ts';
import { requestDonation } from '#features/donations/request-donation.ts';
import { applyOutcome } from '#features/outcomes/apply-outcome.ts';
import { ownDatabase } from '#testing/database.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { aClock, aClub, aSupporter, aTenant, cleared, someTenants, uidsInEachBucket } from '#testing/makers.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { aProxy, type TestProxy } from '#testing/proxy.ts';
import { findAuditProgress, listLastBookChecks } from './book-check-repository.ts';
import { auditByNight } from './nightly-audit.ts';
import { reconcileByNight } from './nightly-reconciliation.ts';

const database = ownDatabase(4, ['east', 'west']);
const clock = aClock('2026-11-24T00:00:00Z');
const directDebit = fakeDirectDebit({ now: () => clock.now() });
const on = (day: string) => clock.setTo(`${day}T00:00:00Z`);
let west: TestProxy;
let db: Pool;

const deps = () => ({ ...paymentDeps(db, clock, directDebit), log: pino({ level: 'silent' }) });
const alarms = () => database.rows<{ name: string; about: string; sentence: string }[]>`
  select name, about, sentence from alarms order by raised_at, name`;

beforeAll(async () => {
  west = await aProxy(database.servers.west ?? '');
  db = connect(database.url, { max: 5, buckets: 4, servers: { ...database.servers, west: west.url } });
  await migrate(db);
  const clubId = await aClub(db);
  for (const uid of uidsInEachBucket(4, 1)) {
    const { supporterId } = await aSupporter(db, { uid, clubId, directDebit });
    const bucket = db.of(supporterId);
    const gift = { amount: cents(500), requestId: crypto.randomUUID() };
    await requestDonation(bucket, clock, someTenants(aTenant()), supporterId, gift);
  }
  await submitDebits(deps());
  for (const { id, providerRef } of directDebit.taken) {
    directDebit.clear(id);
    await applyOutcome(deps(), cleared(providerRef));
  }
});
afterEach(async () => {
  west.mend();
  await database.rows`delete from alarms`;
});
afterAll(async () => {
  await db.end({ timeout: 1 });
  west.close();
});

test('a night without a server says that its supporters were not checked, and not that the books do not balance', async () => {
  west.cut();
  on('2026-11-25');
  expect(await auditByNight(deps())).toMatchObject({ violations: 0, supporters: 2, silentServers: ['west'] });
  expect(await alarms()).toEqual([
    {
      name: 'books_not_checked',
      about: 'audit 2026-11-24',
      sentence:
        'Not checked: the database server west of BUCKET_SERVERS is silent. The nightly audit left out its supporters, whom the next night reads.',
    },
  ]);
  expect(await findAuditProgress(db)).toEqual({ cleanUntil: null, resumeAfter: null });
});

test('a violation beside it is alarmed as ever, and the night after reads everybody', async () => {
  const bucket = db.inBuckets()[0] as Pool;
  await bucket`update ledger_balances set cents = cents + 1 where account = 'cash'`;
  west.cut();
  on('2026-11-26');
  const { violations } = await auditByNight(deps());
  expect(violations).toBeGreaterThan(0);
  expect((await alarms()).map(({ name }) => name)).toEqual(['books_do_not_balance', 'books_not_checked']);
  await bucket`update ledger_balances set cents = cents - 1 where account = 'cash'`;
  west.mend();
  on('2026-11-27');
  expect(await auditByNight(deps())).toEqual({ violations: 0, supporters: 4, leftOut: 0 });
});

test('everything is read another night', async () => {
  on('2026-12-05');
  west.cut();
  expect(await auditByNight(deps())).toMatchObject({ violations: 0, silentServers: ['west'] });
  expect((await listLastBookChecks(db)).map(({ kind }) => kind)).toEqual(['nightly_audit']);
  west.mend();
  on('2026-12-06');
  await auditByNight(deps());
  expect((await listLastBookChecks(db)).map(({ kind }) => kind)).toEqual(['full_audit', 'nightly_audit']);
});

test('a reconciliation waits for the server, and says so', async () => {
  west.cut();
  await expect(reconcileByNight(deps())).rejects.toThrow();
  expect(await alarms()).toMatchObject([
    {
      name: 'books_not_checked',
      about: 'reconciliation 2026-12-06',
      sentence: expect.stringContaining('waits for it'),
    },
  ]);
  west.mend();
  expect(await reconcileByNight(deps())).toMatchObject({ matched: 4, differences: 0 });
});
