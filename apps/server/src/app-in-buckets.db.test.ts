import * as contract from '@sparechange/contract';
import { isoDate } from '@sparechange/domain';
import { bucketOf } from '@sparechange/domain/bucket';
import { expect, test } from 'vitest';
import { supporterIdOf } from '#caller.ts';
import type { Pool } from '#db/connect.ts';
import { countUnanswered, listParked } from '#features/accounting/payments/parked-payments.ts';
import { listPayments } from '#features/accounting/payments/payment-repository.ts';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { syncPurchases } from '#features/supporters/round-ups/sync-purchases.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aClub, cleared, uidsInEachBucket } from '#testing/makers.ts';

const buckets = 4;
const api = ownApp({}, {}, buckets, { isJoined: false });
const friday = isoDate('2026-11-27');

const uids = uidsInEachBucket(buckets, 2);

/** Takes a new identity through every step of the onboarding, as the browser does. */
async function signUp(uid: string, clubId: string): Promise<string> {
  const who = { uid };
  const names = { firstName: 'Robin', lastName: 'Banks', mobile: '0400000000' };
  const form = { ...names, email: `${uid}@example.com`, tenantA: 'default', supportingClubId: clubId, userId: uid };
  const { CDRID: cdrid } = (await api.call(contract.register, form, who)).body;
  const { body } = await api.call(contract.consent, { cdrid }, who);
  await api.app.inject({ method: 'GET', url: new URL(body.consentLink).pathname });
  const { customerId = '', state = '' } = api.bankLink.links.at(-1) ?? {};
  const jobId = api.bankLink.connect(customerId);
  const { nonce = '' } = contract.readBankState(state) ?? {};
  await api.call(contract.confirmConnection, { cdrid, nonce, jobIds: [jobId] }, who);
  await api.call(contract.checkConsent, { externalUserId: customerId }, who);
  await api.call(contract.retrieveAccounts, { cdrid }, who);
  const [account] = (await api.call(contract.accounts, { userId: cdrid }, who)).body.accountsData.documents;
  if (!account) throw new Error('No account was retrieved.');
  const chosen = {
    account_id: account._id,
    accountId: account.id,
    tenantA: 'default',
    activeDebitEnabled: true,
  } as const;
  const tracked = [{ accountId: account._id, activeRoundUpsEnabled: true }];
  await api.call(contract.setRoundUpAccounts, { RoundUpAccounts: tracked }, who);
  const funded = await api.call(contract.registerFunding, { ...chosen, cdrid }, who);
  expect(funded.status).toBe(200);
  const done = await api.call(contract.onboardingComplete, { cdrid, syncBeginningOfMonth: true }, who);
  expect(done.body.userRecord.document.onboardingComplete).toBe(true);
  api.bankLink.addTransaction(customerId);
  return cdrid;
}

test('signs people up, rounds up, debits and books each of them in their own bucket', async () => {
  const clubId = await aClub(api.db);
  for (const uid of uids) {
    const supporterId = await signUp(uid, clubId);
    const synced = await syncPurchases({ ...api, db: api.db.of(supporterId) }, supporterId);
    expect(synced).toMatchObject({ roundUps: 1, roundUpCents: 65 });
  }
  const plan = await planDebits(api.db, api.clock, api.tenants, friday);
  expect(plan).toMatchObject({ planned: uids.length, totalCents: uids.length * 65 });
  await submitDebits(api);
  expect(api.directDebit.taken).toHaveLength(uids.length);
  for (const { providerRef } of api.directDebit.taken)
    expect(await applyOutcome(api, cleared(providerRef))).toBe('cleared');
  for (const [bucket, db] of api.db.inBuckets().entries()) {
    const rows = await db<{ supporterId: string; cents: number }[]>`
      select supporter_id as "supporterId", cents from ledger_balances where account = 'club_payable'`;
    expect(rows.map(({ cents }) => cents)).toEqual([65, 65]);
    for (const { supporterId } of rows) expect(bucketOf(supporterId, buckets)).toBe(bucket);
  }
  for (const uid of uids) {
    const answer = await api.call(contract.debitsAllTime, { cdrid: supporterIdOf(uid) }, { uid });
    expect(answer.body).toEqual({ debitAllTime: 65 });
  }
});

test('finds payments of clubs and of supporters in every bucket', async () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 25, 1, minute));
  const park = async (db: Pool, minute: number) => {
    const [debit] = await db<{ reference: string }[]>`
      update debits set state = 'submitting', parked_at = ${at(minute)}, unknown_since = ${at(0)}
      where (supporter_id, id) in (select supporter_id, id from debits order by 1, 2 limit 1) returning reference`;
    return debit?.reference;
  };
  const pools = api.db.inBuckets();
  const references = await Promise.all(pools.map(park));
  await api.db`
    insert into remittances (club_id, run_date, attempt, amount_cents, reference, state, planned_at, parked_at, unknown_since)
    select id, ${friday}, 1, 100, 'CL0', 'submitting', ${at(0)}, ${at(9)}, ${at(0)} from clubs limit 1`;
  const parked = await listParked(api.db, 4);
  expect(parked.map(({ reference }) => reference)).toEqual(['CL0', ...references.toReversed()].slice(0, 4));
  expect(await countUnanswered(api.db)).toEqual([
    { kind: 'debit', unknown: 0, parked: 4 },
    { kind: 'remittance', unknown: 0, parked: 1 },
  ]);
  for (const reference of ['CL0', ...references])
    expect(await listPayments(api.db, reference ?? '', 2)).toMatchObject([{ reference }]);
});
