import { randomBytes } from 'node:crypto';
import { cents, isoDate } from '@sparechange/domain';
import pino from 'pino';
import { beforeAll, expect, test } from 'vitest';
import { acceptAuditLog, remarkChains } from '#audit/accept-audit-log.ts';
import { makeAuditKeys } from '#audit/audit-keys.ts';
import { appendToAuditLog, operatorsChain } from '#audit/audit-log.ts';
import { verifyAuditLog } from '#audit/verify-audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { reconcilePayments } from '#features/accounting/reconciliation/reconcile-payments.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { buildTimeline } from '#features/core/timeline/build-timeline.ts';
import { findAdvice } from '#features/disbursements/remittance-advice/advice-repository.ts';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import { clubStatement } from '#features/disbursements/remittances/club-statement.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { makeFieldEncryption } from '#secrets/field-encryption.ts';
import { reEncryptEverything } from '#secrets/re-encrypt.ts';
import { ownDatabase } from '#testing/database.ts';
import { fakeCheckpointFile } from '#testing/fake-checkpoint-file.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import {
  aClock,
  aClub,
  aSupporter,
  aTenant,
  cleared,
  returned,
  someTenants,
  type TestSupporter,
  testKey,
  uidsInEachBucket,
} from '#testing/makers.ts';
import { setBankDetails } from '#testing/money-day.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { setGuardsAside } from '#testing/set-guards-aside.ts';
import { auditChanges, auditSupporters } from './audit-changes.ts';
import { listClubReceivables } from './club-receivables.ts';
import { auditByNight } from './nightly-audit.ts';
import { watchAuditLog } from './watch-audit-log.ts';

const buckets = 4;
const database = ownDatabase(buckets, { isJoined: false });
const bucketAt = (number: number) => database.pool.inBuckets()[number] as Pool;
const clock = aClock('2026-11-24T00:00:00Z');
const directDebit = fakeDirectDebit({ now: () => clock.now() });
const deps = () => paymentDeps(database.pool, clock, directDebit);
const on = (day: string) => clock.setTo(`${day}T00:00:00Z`);
const supporters: TestSupporter[] = [];
const given: string[] = [];
const rotatedKeys = makeAuditKeys([randomBytes(32), testKey]);
let club: string;

/** Clears a supporter's donation; returns the id of its debit. */
async function gives({ supporterId }: TestSupporter, dollars: number): Promise<string> {
  const db = database.pool.of(supporterId);
  const gift = { amount: cents(dollars * 100), requestId: crypto.randomUUID() };
  await requestDonation(db, clock, someTenants(aTenant()), supporterId, gift);
  await submitDebits(deps(), { buckets: [db] });
  const { id, providerRef } = directDebit.taken.at(-1) ?? { id: '', providerRef: '' };
  directDebit.clear(id);
  await applyOutcome({ db: database.pool, clock }, cleared(providerRef));
  return id;
}

beforeAll(async () => {
  club = await aClub(database.pool);
  await setBankDetails(database.pool, club, '12345678');
  for (const [at, uid] of uidsInEachBucket(buckets, 2).entries()) {
    const supporter = await aSupporter(database.pool, { uid, clubId: club, directDebit });
    const { supporterId } = supporter;
    await database.pool.of(supporterId)`
      update supporters set last_name = ${`Number ${8 - at}`} where supporter_id = ${supporterId}`;
    supporters.push(supporter);
    given.push(await gives(supporter, 5 + at));
  }
});

const collected = () => database.pool`
  select booked_on as day, cents from club_entries where kind = 'collected' and account = 'collected' order by booked_on`;
const violations = async () => (await auditBooks(database.pool)).violations;

test('a close of day that fails between buckets is finished by the next one, and only once by two in parallel', async () => {
  const day = isoDate('2026-11-24');
  await bucketAt(2).unsafe('alter table ledger_entries rename to ledger_entries_gone');
  await expect(closeAndRollUp(database.pool, day)).rejects.toThrow('ledger_entries');
  expect(await collected()).toEqual([]);
  await bucketAt(2).unsafe('alter table ledger_entries_gone rename to ledger_entries');
  const [late] = supporters;
  if (late) await gives(late, 10);
  await Promise.all([closeAndRollUp(database.pool, day), closeAndRollUp(database.pool, day)]);
  expect(await collected()).toEqual([{ day, cents: 68_00 }]);
  const figures = await database.pool`select raised_cents as cents, supporters from club_figures`;
  expect(figures).toEqual([{ cents: 68_00, supporters: 8 }]);
  expect(await violations()).toEqual([]);
});

test('a club is remitted the cleared amounts of all buckets, and its statement and advice show them', async () => {
  on('2026-11-26');
  expect(await remitToClubs(deps())).toMatchObject({ clubs: 1, totalCents: 78_00, kept: [] });
  const statement = await clubStatement(database.pool, club, isoDate('2026-11-01'));
  expect(statement).toMatchObject({ totalCents: 78_00, stillPayableCents: 0, receivableCents: 0 });
  expect(statement.supporters.map(({ supporter, totalCents }) => [supporter, totalCents])).toEqual([
    ['Robin Number 1', 12_00],
    ['Robin Number 2', 11_00],
    ['Robin Number 3', 10_00],
    ['Robin Number 4', 9_00],
    ['Robin Number 5', 8_00],
    ['Robin Number 6', 7_00],
    ['Robin Number 7', 6_00],
    ['Robin Number 8', 15_00],
  ]);
  const [remittance] = await database.pool<{ id: string }[]>`select id from remittances`;
  expect((await findAdvice(database.pool, remittance?.id ?? ''))?.facts).toMatchObject({
    supporters: 8,
    days: [
      { day: '2026-11-24', supporters: 8, gross: 68_00 },
      { day: '2026-11-25', supporters: 1, gross: 10_00 },
    ],
  });
  expect(await violations()).toEqual([]);
});

test('money claimed back in two buckets after it was remitted is receivable from the club', async () => {
  for (const at of [0, 7]) {
    const db = database.pool.of(supporters[at]?.supporterId ?? '');
    const debit = directDebit.taken.find(({ id }) => id === given[at]);
    directDebit.return(debit?.id ?? '', 6);
    await applyOutcome({ db, clock }, returned(debit?.providerRef ?? '', 6));
  }
  expect(await listClubReceivables(database.pool)).toMatchObject([{ clubId: club, cents: 17_00 }]);
  await closeAndRollUp(database.pool, isoDate('2026-11-26'));
  expect(await listClubReceivables(database.pool)).toMatchObject([{ clubId: club, cents: 17_00 }]);
  expect(await violations()).toEqual([]);
});

test('reconciliation compares the payments of every bucket and of clubs', async () => {
  on('2026-11-27');
  directDebit.clear(directDebit.taken.find(({ reference }) => reference.startsWith('CL'))?.id ?? '');
  const found = await reconcilePayments(deps());
  expect(found).toMatchObject({ missingHere: 0, missingThere: 0, different: 0, behind: 1, matched: 9 });
  const [, , , , , another] = supporters;
  const db = database.pool.of(another?.supporterId ?? '');
  await db`update debits set amount_cents = amount_cents + 1`;
  const { different, differences } = await reconcilePayments(deps());
  await db`update debits set amount_cents = amount_cents - 1`;
  expect(different).toBe(2);
  const pairs = differences.map(({ kind, match }) => `${kind}: ${match}`);
  expect(pairs).toEqual(['debit: amount differs', 'debit: amount differs', 'remittance: behind']);
});

test('an audit out of time continues with the supporters of the buckets that it did not reach', async () => {
  const audited: number[] = [];
  let resumeAfter: string | null = null;
  for (let night = 0; night < 8; night += 1) {
    const audit = await auditChanges(database.pool, null, { resumeAfter, batchSize: 1, maxMs: 0 });
    audited.push(audit.leftOut);
    resumeAfter = audit.resumeAfter;
  }
  expect(audited).toEqual(Array.from({ length: 8 }, () => 7));
  expect(resumeAfter).toBe(
    supporters
      .map(({ supporterId }) => supporterId)
      .sort()
      .at(-1),
  );
});

test('an audit out of time does not prepare the buckets that it will not reach', async () => {
  await bucketAt(3).unsafe('alter table bucket_03.purchase_refunds rename to purchase_refunds_gone');
  const audit = await auditSupporters(database.pool, isoDate('2026-11-20'), { batchSize: 1, maxMs: 0 });
  await bucketAt(3).unsafe('alter table bucket_03.purchase_refunds_gone rename to purchase_refunds');
  expect(audit).toMatchObject({ violations: [], supporters: 1, leftOut: 7 });
});

test('the audit log of control and of every bucket has its own checkpoints, made independently', async () => {
  const at = clock.now();
  await appendToAuditLog(database.pool, { supporterId: operatorsChain, at, actor: 'operator', action: 'looked' });
  for (const { supporterId } of supporters)
    await appendToAuditLog(database.pool.of(supporterId), { supporterId, at, actor: 'operator', action: 'looked' });
  const db = database.pool;
  const file = fakeCheckpointFile();
  const log = { db, clock, auditKeys: makeAuditKeys([testKey]), checkpointFile: file, log: pino({ level: 'silent' }) };
  await watchAuditLog(log);
  const first = await verifyAuditLog(log, file);
  expect(first).toMatchObject({ violations: [], chains: 9 });
  expect(first.checkpoints.map(({ place, number, chains }) => [place, number, chains])).toEqual([
    ['public', 1, 1],
    ...['bucket_00', 'bucket_01', 'bucket_02', 'bucket_03'].map((place) => [place, 1, 2]),
  ]);
  const rotated = { ...log, auditKeys: rotatedKeys };
  expect(await remarkChains(rotated)).toBe(9);
  expect((await acceptAuditLog(rotated, file, 'a test')).map(({ number }) => number)).toEqual([3, 3, 3, 3, 3]);
  expect(await verifyAuditLog(rotated, file)).toMatchObject({ violations: [], chains: 9 });
  const { supporterId = '' } = supporters[7] ?? {};
  const bucket = database.pool.of(supporterId);
  expect((await buildTimeline(bucket, supporterId)).auditLog).toMatchObject({ isWhole: true });
  await bucket.begin(async (tx) => {
    await setGuardsAside(tx);
    await tx`delete from audit_links where supporter_id = ${supporterId} and seq > 1`;
  });
  expect((await buildTimeline(bucket, supporterId)).auditLog).toMatchObject({ isWhole: false });
  expect((await verifyAuditLog(rotated, file)).violations).toEqual([
    expect.stringMatching(`^the chain of ${supporterId}: .* \\(bucket_03\\)$`),
  ]);
});

test("an unreadable audit log of one bucket does not prevent the others' checkpoints", async () => {
  const file = fakeCheckpointFile();
  const log = {
    db: database.pool,
    clock,
    auditKeys: rotatedKeys,
    checkpointFile: file,
    log: pino({ level: 'silent' }),
  };
  clock.setTo('2026-11-27T02:00:00Z');
  await bucketAt(1).unsafe(`
    alter table bucket_01.audit_heads rename to audit_heads_gone;
    create view bucket_01.audit_heads as select 1 as seq`);
  const failure = await watchAuditLog(log).catch((error: Error) => error.message);
  const { violations } = await verifyAuditLog(log, file);
  await bucketAt(1).unsafe(`
    drop view bucket_01.audit_heads;
    alter table bucket_01.audit_heads_gone rename to audit_heads`);
  expect(failure).toMatch(/column .* does not exist/);
  expect([...file.macs.keys()]).toEqual(['public', 'bucket_00', 'bucket_02', 'bucket_03']);
  expect(violations).toEqual([
    expect.stringMatching(/^the audit log was not read: column .* does not exist \(bucket_01\)$/),
    expect.stringContaining('link 2 is missing'), // taken by the previous test
  ]);
});

test('account numbers of every bucket are encrypted again', async () => {
  const keys = [randomBytes(32), testKey] as const;
  expect(await reEncryptEverything(database.pool, makeFieldEncryption([...keys]))).toBe(8 * 2 + 2);
  expect(await reEncryptEverything(database.pool, makeFieldEncryption([...keys]))).toBe(0);
});

test('an audit names the bucket of a violation, and reports a bucket that it cannot read beside the others', async () => {
  const db = database.pool.of(supporters[2]?.supporterId ?? '');
  await db`update ledger_balances set cents = cents + 1 where account = 'cash'`;
  const { violations, found } = await auditChanges(database.pool, isoDate('2026-11-20'));
  expect(found).toBe(4);
  for (const violation of violations) expect(violation).toMatch(/cash.* \(bucket_01\)$/);
  await bucketAt(3).unsafe('alter table bucket_03.receipts rename to receipts_gone');
  const partly = await auditChanges(database.pool, isoDate('2026-11-20'));
  await bucketAt(3).unsafe('alter table bucket_03.receipts_gone rename to receipts');
  expect(partly.violations.slice(0, 4).toSorted()).toEqual(violations.toSorted());
  expect(partly.violations[4]).toContain('the supporters of bucket_03 were not audited: ');
});

test('a night audits the supporters of the other buckets though no day can be closed', async () => {
  on('2026-11-28');
  await bucketAt(3).unsafe('alter table bucket_03.ledger_entries rename to ledger_entries_gone');
  const night = auditByNight({ ...deps(), log: pino({ level: 'silent' }) });
  const { supporters } = await night.finally(() =>
    bucketAt(3).unsafe('alter table bucket_03.ledger_entries_gone rename to ledger_entries'),
  );
  expect(supporters).toBe(6);
  const [alarm] = await database.pool`select sentence from alarms where name = 'books_do_not_balance'`;
  expect(alarm?.sentence).toContain('The first is: the days up to 2026-11-27 were not closed: ');
});
