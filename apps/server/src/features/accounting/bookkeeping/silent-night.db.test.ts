import { cents } from '@sparechange/domain';
import pino from 'pino';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { aCluster, type TestCluster } from '#testing/citus-stand-in.ts';
import { ownDatabase } from '#testing/database.ts';
import { beforeBucket } from '#testing/disturbed-buckets.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { aClock, aClub, aSupporter, aTenant, cleared, someTenants, uidsInEachBucket } from '#testing/makers.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { findAuditProgress, listLastBookChecks } from './book-check-repository.ts';
import { auditByNight } from './nightly-audit.ts';
import { reconcileByNight } from './nightly-reconciliation.ts';

const database = ownDatabase(4, { isJoined: false });
const clock = aClock('2026-11-24T00:00:00Z');
const directDebit = fakeDirectDebit({ now: () => clock.now() });
const on = (day: string) => clock.setTo(`${day}T00:00:00Z`);
const west = 'west:5433';
let cluster: TestCluster;
let db: Pool;

const deps = () => ({ ...paymentDeps(db, clock, directDebit), log: pino({ level: 'silent' }) });
const alarms = () => database.rows<{ name: string; about: string; sentence: string }[]>`
  select name, about, sentence from alarms order by raised_at, name`;

beforeAll(async () => {
  db = database.pool;
  cluster = await aCluster(db);
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
  cluster.mend();
  await database.rows`delete from alarms`;
});

test('a night without a node reports that its supporters were not checked, and not that the books do not balance', async () => {
  cluster.cut(west);
  on('2026-11-25');
  expect(await auditByNight(deps())).toMatchObject({ violations: 0, supporters: 2, silentServers: [west] });
  expect(await alarms()).toEqual([
    {
      name: 'books_not_checked',
      about: 'audit 2026-11-24',
      sentence:
        'Not checked: the database node west:5433 of the Citus cluster is silent. The nightly audit left out its supporters, who are checked the next night.',
    },
  ]);
  expect(await findAuditProgress(db)).toEqual({ cleanUntil: null, resumeAfter: null });
});

test('a violation beside it raises its usual alarm, and the following night reads everybody', async () => {
  const bucket = db.inBuckets()[0] as Pool;
  await bucket`update ledger_balances set cents = cents + 1 where account = 'cash'`;
  cluster.cut(west);
  on('2026-11-26');
  const { violations } = await auditByNight(deps());
  expect(violations).toBeGreaterThan(0);
  expect((await alarms()).map(({ name }) => name)).toEqual(['books_do_not_balance', 'books_not_checked']);
  await bucket`update ledger_balances set cents = cents - 1 where account = 'cash'`;
  cluster.mend();
  on('2026-11-27');
  expect(await auditByNight(deps())).toEqual({ violations: 0, supporters: 4, leftOut: 0 });
});

test('a night without a node does not count as an audit of everything', async () => {
  on('2026-12-05');
  cluster.cut(west);
  expect(await auditByNight(deps())).toMatchObject({ violations: 0, silentServers: [west] });
  const lastOf = async () => (await listLastBookChecks(db)).map(({ kind, startedAt }) => [kind, startedAt]);
  const before = new Date('2026-11-27T00:00:00Z');
  expect(await lastOf()).toEqual([['nightly_audit', before]]);
  cluster.mend();
  on('2026-12-06');
  await auditByNight(deps());
  expect(await lastOf()).toEqual([
    ['full_audit', clock.now()],
    ['nightly_audit', clock.now()],
  ]);
});

test('a node that falls silent during the audit of everything is named, and that audit waits', async () => {
  on('2026-12-13');
  const listKinds = async () => (await listLastBookChecks(db)).map(({ kind, startedAt }) => [kind, startedAt]);
  const cutOnceNightIsOver = async () => {
    const checks = await listKinds();
    if (checks.some(([kind, at]) => kind === 'nightly_audit' && Number(at) === Number(clock.now()))) cluster.cut(west);
  };
  expect(await auditByNight({ ...deps(), db: beforeBucket(db, cutOnceNightIsOver) })).toMatchObject({ violations: 0 });
  expect(await alarms()).toMatchObject([{ name: 'books_not_checked', about: 'audit 2026-12-12' }]);
  expect(await listKinds()).toEqual([
    ['full_audit', new Date('2026-12-06T00:00:00Z')],
    ['nightly_audit', clock.now()],
  ]);
});

test('a reconciliation waits for the node, and reports it', async () => {
  cluster.cut(west);
  await expect(reconcileByNight(deps())).rejects.toThrow();
  expect(await alarms()).toMatchObject([
    {
      name: 'books_not_checked',
      about: 'reconciliation 2026-12-13',
      sentence: expect.stringContaining('waits for it'),
    },
  ]);
  cluster.mend();
  expect(await reconcileByNight(deps())).toMatchObject({ matched: 4, differences: 0 });
});
