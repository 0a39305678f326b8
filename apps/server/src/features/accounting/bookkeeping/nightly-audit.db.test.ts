import { addDays, type IsoDate, isoDate, sydneyDay } from '@sparechange/domain';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { checksOfIdentity } from '#features/core/ledger/checks-of-identity.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { planRepayment } from '#features/disbursements/repayments/plan-repayment.ts';
import { deleteBankData } from '#features/supporters/offboarding/delete-bank-data.ts';
import { recordPurchaseRefunds } from '#features/supporters/purchase-refunds/record-purchase-refunds.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { today } from '#ports/clock.ts';
import { inBucketOf } from '#testing/database.ts';
import {
  aMandate,
  anAccount,
  aPurchase,
  aPurchaseRefund,
  aSupporter,
  aTenant,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { aClearedDebit, reverse } from '#testing/money-day.ts';
import { paidClub } from '#testing/paid-club.ts';
import { auditChanges } from './audit-changes.ts';
import { findAuditProgress, findDueFullAudit, listLastBookChecks, recordBookCheck } from './book-check-repository.ts';
import { auditByNight } from './nightly-audit.ts';
import { reconcileByNight } from './nightly-reconciliation.ts';

const club = paidClub();
const { database, on, gives, arrives } = club;
const deps = () => ({ ...club.deps(), log: pino({ level: 'silent' }) });
const alarms = () => database.rows<{ name: string; about: string; sentence: string }[]>`
  select name, about, sentence from alarms order by raised_at, name`;

/** Changes a balance past the triggers, as a bug might. */
const spoil = () => database.rows`update ledger_balances set cents = cents + 1 where account = 'cash'`;

test('each night audits entries booked since the last one without violations', async () => {
  await gives(30);
  on('2026-11-25');
  expect(await auditByNight(deps())).toEqual({ violations: 0, supporters: 1, leftOut: 0 });
  expect(await findAuditProgress(database.pool)).toEqual({ cleanUntil: '2026-11-24', resumeAfter: null });
  await gives(40);
  on('2026-11-26');
  expect(await auditByNight(deps())).toEqual({ violations: 0, supporters: 2, leftOut: 0 });
  on('2026-11-27'); // the day before is read once more, as a transaction may have been open over midnight
  expect(await auditByNight(deps())).toEqual({ violations: 0, supporters: 1, leftOut: 0 });
  on('2026-11-28');
  expect(await auditByNight(deps())).toEqual({ violations: 0, supporters: 0, leftOut: 0 });
  expect(await alarms()).toEqual([]);
});

test('a violation raises an alarm each night until it is fixed', async () => {
  await gives(30);
  await spoil();
  for (const day of ['2026-11-25', '2026-11-26']) {
    on(day);
    expect(await auditByNight(deps())).toMatchObject({ violations: 2, supporters: 1 });
  }
  expect(await alarms()).toMatchObject([
    { name: 'books_do_not_balance', about: '2026-11-24' },
    { name: 'books_do_not_balance', about: '2026-11-25' },
  ]);
  expect((await alarms())[0]?.sentence).toContain('The first is: balances equal the journal: cash of ');
  expect(await listLastBookChecks(database.pool)).toMatchObject([{ kind: 'nightly_audit', found: 2, leftOut: 0 }]);
});

test('an audit of some supporters sees only their violations', async () => {
  await gives(30);
  await spoil();
  on('2026-11-26');
  await gives(40);
  const { found, supporters } = await auditChanges(database.pool, isoDate('2026-11-26'));
  expect([found, supporters]).toEqual([0, 1]);
  const all = await auditChanges(database.pool, null);
  expect([all.found, all.supporters]).toEqual([2, 2]);
});

test('an audit without time for everybody continues with the others', async () => {
  for (const cents of [10, 20, 30]) await gives(cents);
  const seen: (string | null)[] = [];
  let resumeAfter: string | null = null;
  for (let night = 0; night < 3; night += 1) {
    const audit = await auditChanges(database.pool, null, { resumeAfter, batchSize: 1, maxMs: 0 });
    expect([audit.supporters, audit.leftOut]).toEqual([1, 2]);
    resumeAfter = audit.resumeAfter;
    seen.push(resumeAfter);
  }
  expect(new Set(seen).size).toBe(3);
});

test("an address that differs from the identity user's raises an alarm, even if nothing is booked", async () => {
  const { supporterId, uid } = await aSupporter(database.pool, { clubId: club.id() });
  await database.rows`
    insert into identity.users (uid, email, password_hash, valid_since) values (${uid}, 'other@example.com', '-', 0)`;
  expect(await auditByNight(deps())).toMatchObject({ violations: 0 });
  expect(await auditByNight({ ...deps(), alsoWanted: checksOfIdentity })).toMatchObject({
    violations: 1,
    supporters: 0,
  });
  expect((await alarms())[0]?.sentence).toContain(`supporter ${supporterId} has another address`);
  expect((await alarms())[0]?.sentence).not.toContain('@');
});

const overpaidSentence =
  'Banks claimed back, or supporters were refunded, $0.71 that had been remitted to 1 club (most of it: Riverside Rovers)';

test('a refund of a remitted amount raises the alarm in the same words', async () => {
  const supporter = await aSupporter(database.pool, { clubId: club.id(), directDebit: deps().directDebit });
  await aClearedDebit(deps(), supporter, 71);
  const [debit] = await database.rows<{ id: string }[]>`select id from debits`;
  on('2026-11-25');
  await remitToClubs(deps());
  await arrives();
  await planRepayment(inBucketOf(deps(), supporter.supporterId), {
    supporterId: supporter.supporterId,
    debitId: debit?.id ?? '',
    reason: 'a wrong debit',
  });
  on('2026-11-26');
  await auditByNight(deps());
  expect(await alarms()).toMatchObject([{ name: 'clubs_overpaid', about: '2026-11-25' }]);
  expect((await alarms())[0]?.sentence).toContain(overpaidSentence);
});

test('an overpaid club raises an alarm with the amount, once', async () => {
  const debit = await gives(71);
  on('2026-11-25');
  await remitToClubs(deps());
  await arrives();
  await reverse(deps(), debit);
  for (const day of ['2026-11-26', '2026-11-27']) {
    on(day);
    await auditByNight(deps());
  }
  expect(await alarms()).toMatchObject([{ name: 'clubs_overpaid', about: '2026-11-25' }]);
  expect((await alarms())[0]?.sentence).toContain(overpaidSentence);
});

test('a payment unknown to the provider raises an alarm', async () => {
  await gives(30);
  on('2026-11-25');
  deps().directDebit.clearAll();
  expect(await reconcileByNight(deps())).toEqual({ matched: 1, behind: 0, differences: 0, openStatementLines: 0 });
  await database.rows`update debits set provider_ref = 'PR.unknown', reference = 'RUUNKNOWN'`;
  on('2026-11-26');
  expect(await reconcileByNight(deps())).toMatchObject({ differences: 2 });
  expect(await alarms()).toMatchObject([{ name: 'provider_disagrees', about: '2026-11-26' }]);
});

test.each(['debits', 'deposits', 'repayments'])(
  'each night audits %s that are still being submitted, however long ago they were planned',
  async (table) => {
    const supporter = await aSupporter(database.pool, {
      clubId: club.id(),
      directDebit: deps().directDebit,
      savings: true,
    });
    await aClearedDebit(deps(), supporter, 70);
    const { supporterId } = supporter;
    const [debit] = await database.rows<{ id: string }[]>`select id from debits`;
    on('2026-11-25');
    await planRepayment(inBucketOf(deps(), supporterId), {
      supporterId,
      debitId: debit?.id ?? '',
      reason: 'a wrong debit',
    });
    await database.rows`
      insert into deposits (supporter_id, month, attempt, amount_cents, masked_number, account_linked_at, reference, planned_at)
      values (${supporterId}, '2026-11-01', 1, 1, 'X', '2026-11-01', 'SV0123456789ABCDEF', ${deps().clock.now()})`;
    await database.rows`
      update ${database.pool(table)} set state = 'submitting', provider_ref = null, submitting_at = null,
        unknown_since = null, parked_at = ${deps().clock.now()}`;
    const { violations } = await auditChanges(database.pool, isoDate('2026-12-24'));
    const found = violations.map((violation) =>
      violation.replace(/[0-9a-f-]{36}/, '…').replace(/ \(bucket_\d+\)$/, ''),
    );
    expect(found).toContain(
      'a parked payment is being submitted and has no answer: payment … is parked and was never asked for',
    );
  },
);

test('once a week everything is read, including changes without an entry', async () => {
  await gives(30);
  on('2026-11-25');
  await auditByNight(deps());
  on('2026-11-30');
  await auditByNight(deps());
  await spoil();
  on('2026-12-01');
  expect(await auditByNight(deps())).toEqual({ violations: 0, supporters: 0, leftOut: 0 });
  on('2026-12-03');
  expect(await auditByNight(deps())).toMatchObject({ violations: 2, supporters: 0 });
  expect(await alarms()).toMatchObject([{ name: 'books_do_not_balance', about: 'full audit 2026-12-02' }]);
  on('2026-12-04');
  expect(await auditByNight(deps())).toMatchObject({ violations: 0 });
});

test('everything is read every seventh night, also by a night that begins a little earlier than the last', async () => {
  const { pool } = database;
  const days: string[] = [];
  for (let night = 0; night < 29; night += 1) {
    const hour = night < 10 ? 17 : 16; // daylight saving begins
    const startedAt = new Date(`${addDays(isoDate('2026-09-24'), night)}T${hour}:00:01.${999 - night}Z`);
    if (await findDueFullAudit(pool, startedAt)) {
      days.push(sydneyDay(startedAt));
      await recordBookCheck(pool, { kind: 'full_audit', startedAt, tookMs: 1, found: 0 });
    }
    await recordBookCheck(pool, { kind: 'nightly_audit', startedAt, tookMs: 1, found: 0 });
  }
  expect(days).toEqual(['2026-10-02', '2026-10-09', '2026-10-16', '2026-10-23']);
});

test('a round continues after the last supporter it reached, and ends with the last of all', async () => {
  for (const cents of [10, 20, 30]) await gives(cents);
  const options = { isFullAudit: true, batchSize: 1, maxMs: 0 };
  const left: number[] = [];
  let resumeAfter: string | null = null;
  for (let part = 0; part < 3; part += 1) {
    const audit = await auditChanges(database.pool, null, { ...options, resumeAfter });
    left.push(audit.leftOut);
    resumeAfter = audit.resumeAfter;
  }
  expect([left, resumeAfter]).toEqual([[2, 1, 0], null]);
});

test('a supporter with history is read from its closed balances on, and their history by the weekly round', async () => {
  const supporter = await aSupporter(database.pool, { clubId: club.id(), directDebit: deps().directDebit });
  for (const day of ['2026-11-25', '2026-12-02', '2026-12-09', '2026-12-16', '2026-12-30', '2026-12-31']) {
    on(day);
    await auditByNight(deps());
    await aClearedDebit(deps(), supporter, 30);
  }
  on('2027-01-01');
  const transfersRead = async (since: IsoDate | null) =>
    (await auditChanges(database.pool, since)).checked['transfers sum to zero'];
  expect(await transfersRead(isoDate('2026-12-31'))).toBe(3 + 2); // of the last debit and, but for recording, the one before
  expect(await transfersRead(null)).toBe(6 * 3);
  expect(await auditByNight(deps())).toMatchObject({ violations: 0, supporters: 1 });
});

describe('deleted bank data', () => {
  /** Deletes a supporter's bank data, as withdrawing the consent does, and lets them consent again. */
  async function deletesBankData({ supporterId }: TestSupporter): Promise<void> {
    const { rows } = database;
    await rows`
      update supporters set consent_active = false, consent_end = 'withdrawn', consent_ended_on = ${today(deps().clock)}
      where supporter_id = ${supporterId}`;
    await deleteBankData(inBucketOf(deps(), supporterId), supporterId, 'supporter');
    await rows`
      update supporters set consent_active = true, consent_end = null, consent_ended_on = null where supporter_id = ${supporterId}`;
  }
  /** Clears a debit with new accounts. */
  const givesAgain = async (supporter: TestSupporter) => {
    const account = await anAccount(database.pool, supporter, { isFunding: true });
    await aMandate(database.pool, supporter, account, { directDebit: deps().directDebit });
    await aClearedDebit(deps(), { ...supporter, account }, 30);
  };
  const isBalancedOn = async (day: string) => {
    on(day);
    expect(await auditByNight(deps())).toMatchObject({ violations: 0, supporters: 1 });
  };

  test('before anything was recorded are no range of round-ups', async () => {
    const supporter = await aSupporter(database.pool, { clubId: club.id(), directDebit: deps().directDebit });
    await deletesBankData(supporter);
    await isBalancedOn('2026-11-25');
    on('2027-01-05');
    await givesAgain(supporter);
    await isBalancedOn('2027-01-06');
    await isBalancedOn('2027-01-07');
  });

  test('on the day of a debit that was refused with them are compared with it', async () => {
    const supporter = await aSupporter(database.pool, { clubId: club.id(), directDebit: deps().directDebit });
    await aClearedDebit(deps(), supporter, 30);
    await isBalancedOn('2026-11-25');
    on('2026-12-01');
    const purchase = aPurchase(supporter, { day: '2026-12-01', cents: 970 });
    await recordRoundUps(database.pool.of(supporter.supporterId), deps().clock.now(), [purchase]);
    await planDebits(database.pool, deps().clock, someTenants(aTenant()), isoDate('2026-12-02'));
    await deletesBankData(supporter);
    for (let day = 2; day <= 14; day += 1) {
      on(`2026-12-${String(day).padStart(2, '0')}`);
      expect(await auditByNight(deps())).toMatchObject({ violations: 0 });
      if (day === 12) await givesAgain(supporter);
    }
  });

  test('long before a debit of theirs is claimed back, with a refund deducted from it', async () => {
    const supporter = await aSupporter(database.pool, { clubId: club.id(), directDebit: deps().directDebit });
    const { supporterId } = supporter;
    on('2026-11-25');
    const paidBack = aPurchase(supporter, { cents: 130 });
    const bought = [paidBack, aPurchase(supporter, { cents: 150 })];
    await recordRoundUps(database.pool.of(supporterId), deps().clock.now(), bought);
    const credit = aPurchaseRefund(paidBack, { day: today(deps().clock) });
    await recordPurchaseRefunds(database.pool.of(supporterId), deps().clock.now(), supporterId, [credit]);
    const providerRef = await aClearedDebit(deps(), supporter, 30);
    const isBalanced = async (day: string) => {
      on(day);
      expect(await auditByNight(deps())).toMatchObject({ violations: 0 });
    };
    await isBalanced('2026-11-28');
    await deletesBankData(supporter);
    await isBalanced('2026-11-30');
    on('2026-12-29');
    await givesAgain(supporter);
    await isBalanced('2026-12-31');
    await reverse(deps(), providerRef);
    await isBalanced('2027-01-01');
  });
});
