import * as contract from '@sparechange/contract';
import { isoDate } from '@sparechange/domain';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { type AppUnderTest, ownApp } from '#testing/app-under-test.ts';
import { aPurchase } from '#testing/makers.ts';
import { runConsents } from './run-consents.ts';

let signedInAt = Date.now() / 1000;
const api = ownApp({
  verifyIdToken: async (uid) => ({ uid, email: `${uid}@example.com`, authTime: signedInAt }),
  removeUser: async () => 'removed',
});
afterAll(async () => expect((await auditBooks(api.db)).violations).toEqual([]));

type Member = Awaited<ReturnType<AppUnderTest['supporter']>>;

/** A supporter with $0.65 waiting. */
async function aMember(): Promise<Member> {
  const supporter = await api.supporter();
  await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [aPurchase(supporter, { cents: 435 })]);
  return supporter;
}
const asks = async (operation: contract.Operation, { supporterId: cdrid, uid }: Member) =>
  api.call(operation, { cdrid }, { uid });
const kindsMailed = async ({ supporterId }: Member) => {
  const rows = await api.rows<{ kind: string }[]>`
    select facts->>'kind' as kind from mails where supporter_id = ${supporterId} order by kind`;
  return rows.map(({ kind }) => kind);
};
const consentRun = () => runConsents({ ...api, graceDays: 30 }, () => {});
const isCancelled = (member: Member) => {
  const mine = api.directDebit.mandates.filter(({ email }) => email === member.email);
  return mine.every((mandate) => mandate.isCancelled);
};

test('the offboarding status lists the consequences, and changes nothing', async () => {
  const member = await aMember();
  const { status, body } = await asks(contract.retrieveOffboardingStatus, member);
  expect([status, body]).toMatchObject([
    200,
    { status: { isPaused: false, hasMandate: true, hasConsent: true, hasBankData: true, waitingCents: 65 } },
  ]);
  expect(await kindsMailed(member)).toEqual([]);
});

test('stopping cancels the mandate, keeps waiting round-ups, and pressed twice is one email', async () => {
  const member = await aMember();
  await Promise.all([asks(contract.stopDebits, member), asks(contract.stopDebits, member)]);
  const { body } = await asks(contract.stopDebits, member);
  expect(body).toMatchObject({
    status: { isPaused: true, hasMandate: false, hasConsent: true, waitingCents: 65 },
  });
  const [mandate] = await api.rows`select cancelled_at from mandates where supporter_id = ${member.supporterId}`;
  expect(mandate?.cancelled_at).not.toBeNull();
  expect(await kindsMailed(member)).toEqual(['debits_stopped']);
});

test('round-ups switched on again after stopping count, and show that they wait for an account', async () => {
  const member = await aMember();
  const { supporterId: cdrid, uid } = member;
  await asks(contract.stopDebits, member);
  const paused = await api.call(contract.getUser, { userId: uid }, { uid });
  expect(paused.body.userRecord.document).toMatchObject({ nextDebit: null, waitsForResumeCents: 65 });
  const resumed = await api.call(contract.setPaused, { cdrid, isUserPausedRoundUp: false }, { uid });
  await recordRoundUps(api.db.of(member.supporterId), api.clock.now(), [aPurchase(member, { cents: 720 })]);
  expect(resumed.body.userRecord.document).toMatchObject({ nextDebit: null, waitsForAccountCents: 65 });
  const record = async () => (await api.call(contract.getUser, { userId: uid }, { uid })).body.userRecord.document;
  expect(await record()).toMatchObject({ nextDebit: null, waitsForAccountCents: 145 });
  await api.rows`update accounts set is_funding = true where supporter_id = ${cdrid}`;
  expect(await record()).toMatchObject({ nextDebit: { amountCents: 145 } });
  expect(await record()).not.toHaveProperty('waitsForAccountCents');
});

test('a donation that has not gone to the bank is cancelled by stopping, and its donor is emailed', async () => {
  const member = await aMember();
  const { supporterId: cdrid, uid } = member;
  await api.call(contract.donateNow, { values: { amount: 25, cdrid } }, { uid });
  expect((await asks(contract.retrieveOffboardingStatus, member)).body).toMatchObject({
    status: { donationsToCome: { count: 1, cents: 2500 }, waitingCents: 65 },
  });
  expect((await asks(contract.stopDebits, member)).body).toMatchObject({
    status: { donationsToCome: { count: 0, cents: 0 }, waitingCents: 65 },
  });
  const [debit] = await api.rows`select state, refusal from debits where supporter_id = ${cdrid}`;
  expect(debit).toEqual({ state: 'refused', refusal: 'the supporter stopped debits' });
  expect(await kindsMailed(member)).toEqual(['debits_stopped', 'donation_refused']);
});

test.each([
  ['withdrawing', contract.withdrawConsent],
  ['deleting', contract.deleteBankData],
])(
  'a donation that has not gone to the bank is cancelled by %s, also if the consent is given again',
  async (_what, leave) => {
    const member = await aMember();
    const { supporterId: cdrid, uid } = member;
    await planDebits(api.db, api.clock, api.tenants, isoDate('2026-11-25'));
    await submitDebits(api);
    await api.call(contract.donateNow, { values: { amount: 25, cdrid } }, { uid });
    await asks(leave, member);
    await api.rows`
    update supporters set consent_active = true, consent_end = null, consent_ended_on = null, consent_revoking_since = null
    where supporter_id = ${cdrid}`;
    const [debit] = await api.rows`select state from debits where supporter_id = ${cdrid} and kind = 'donation'`;
    expect(debit).toEqual({ state: 'refused' });
    expect(await kindsMailed(member)).toEqual(['consent_withdrawn', 'donation_refused']);
  },
);

test('withdrawing ends the consent at the provider immediately, and the daily run deletes the data', async () => {
  const member = await aMember();
  expect((await asks(contract.withdrawConsent, member)).body).toMatchObject({ status: { hasConsent: false } });
  expect((await asks(contract.withdrawConsent, member)).status).toBe(200);
  expect((await api.bankLink.listConsents(member.bankCustomerId)).map(({ state }) => state)).toEqual(['revoked']);
  await consentRun();
  expect((await asks(contract.retrieveOffboardingStatus, member)).body).toMatchObject({
    status: { hasBankData: false, waitingCents: 0 },
  });
  expect(await kindsMailed(member)).toEqual(['bank_data_deleted', 'consent_withdrawn']);
});

test.each([
  ['withdrawing', contract.withdrawConsent, ['consent_withdrawn']],
  ['deleting', contract.deleteBankData, ['bank_data_deleted', 'consent_withdrawn']],
])(
  '%s takes effect while the provider is unavailable, and the daily run revokes there',
  async (_what, operation, mails) => {
    const member = await aMember();
    api.bankLink.setUnreachable(true, member.bankCustomerId);
    for (const _press of [1, 2]) {
      const { status, body } = await asks(operation, member);
      expect([status, body]).toMatchObject([200, { status: { hasConsent: false } }]);
    }
    expect(await kindsMailed(member)).toEqual(mails);
    api.bankLink.setUnreachable(false, member.bankCustomerId);
    await consentRun();
    expect((await api.bankLink.listConsents(member.bankCustomerId)).map(({ state }) => state)).toEqual(['revoked']);
    expect((await asks(contract.retrieveOffboardingStatus, member)).body).toMatchObject({
      status: { hasConsent: false, hasBankData: false },
    });
  },
);

test('bank data is deleted while the payment provider is unavailable, and the daily run cancels the mandate there', async () => {
  const member = await aMember();
  api.directDebit.setUnreachable(true);
  const { status, body } = await asks(contract.deleteBankData, member);
  expect([status, body]).toMatchObject([200, { status: { hasConsent: false, hasBankData: false } }]);
  api.directDebit.setUnreachable(false);
  await consentRun();
  expect((await asks(contract.retrieveOffboardingStatus, member)).body).toMatchObject({
    status: { hasBankData: false, hasMandate: false },
  });
  expect(isCancelled(member)).toBe(true);
});

test('deleting bank data withdraws and deletes immediately, and a repetition finds nothing to do', async () => {
  const member = await aMember();
  const answer = { status: { hasConsent: false, hasBankData: false, hasMandate: false, waitingCents: 0 } };
  expect((await asks(contract.deleteBankData, member)).body).toMatchObject(answer);
  expect((await asks(contract.deleteBankData, member)).body).toMatchObject(answer);
  expect(await kindsMailed(member)).toEqual(['bank_data_deleted', 'consent_withdrawn']);
});

test('data of an expired consent does not wait for the days of grace if deletion was requested', async () => {
  const member = await aMember();
  await api.rows`
    update supporters set consent_active = false, consent_end = 'expired', consent_ended_on = '2026-11-24'
    where supporter_id = ${member.supporterId}`;
  api.bankLink.endConsent(member.bankCustomerId, 'revoked');
  expect((await asks(contract.deleteBankData, member)).body).toMatchObject({ status: { hasBankData: false } });
  const [row] = await api.rows`select consent_end from supporters where supporter_id = ${member.supporterId}`;
  expect(row).toEqual({ consent_end: 'withdrawn' });
});

test('the archive holds everything of the caller, as JSON and tables, and nothing of anybody else', async () => {
  const [mine, other] = [await aMember(), await aMember()];
  const { body } = await api.call(contract.downloadEverything, { cdrid: mine.supporterId }, { uid: mine.uid });
  expect(body.fileName).toBe('sparechange-2026-11-25.zip');
  const files = unzipSync(Buffer.from(body.zip, 'base64'));
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['README.txt', 'everything.json', 'tables/supporters.csv', 'tables/round_ups.csv']),
  );
  const text = Object.values(files)
    .map((file) => strFromU8(file))
    .join('\n');
  expect(JSON.parse(strFromU8(files['everything.json'] ?? new Uint8Array()))).toMatchObject({
    exportedFor: mine.email,
    tables: { round_ups: [{ counted_cents: 65 }] },
  });
  for (const foreign of [other.supporterId, other.email, '12345678', '_encrypted']) expect(text).not.toContain(foreign);
  expect(await kindsMailed(mine)).toEqual(['data_downloaded']);
});

test('the number of archives packed in a row is limited', async () => {
  const member = await aMember();
  const statuses = await Promise.all(
    Array.from({ length: 7 }, async () => (await asks(contract.downloadEverything, member)).status),
  );
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
});

test('closing requires a recent sign-in', async () => {
  const member = await aMember();
  signedInAt = Date.now() / 1000 - 301;
  const { status, body } = await asks(contract.closeAccount, member);
  signedInAt = Date.now() / 1000;
  expect([status, (body as contract.ErrorBody).error.code]).toEqual([403, 'requires-recent-login']);
  const [row] = await api.rows`select closed_on from supporters where supporter_id = ${member.supporterId}`;
  expect(row).toEqual({ closed_on: null });
});

test('closing ends everything, and pressed twice is one email', async () => {
  const member = await aMember();
  await Promise.all([asks(contract.closeAccount, member), asks(contract.closeAccount, member)]);
  expect((await asks(contract.closeAccount, member)).body).toMatchObject({
    identity: 'removed',
    status: { hasMandate: false, hasConsent: false, hasBankData: false, waitingCents: 0 },
  });
  expect(await kindsMailed(member)).toEqual(['account_closed']);
});

test('closing during a provider outage takes effect immediately, and the daily run finishes it', async () => {
  const member = await aMember();
  api.bankLink.setUnreachable(true, member.bankCustomerId);
  expect((await asks(contract.closeAccount, member)).body).toMatchObject({ status: { hasMandate: false } });
  const [row] = await api.rows`select closed_on from supporters where supporter_id = ${member.supporterId}`;
  expect(row).toEqual({ closed_on: '2026-11-25' });
  api.bankLink.setUnreachable(false, member.bankCustomerId);
  await consentRun();
  expect(isCancelled(member)).toBe(true);
  expect((await asks(contract.retrieveOffboardingStatus, member)).body).toMatchObject({
    status: { hasConsent: false, hasBankData: false },
  });
  expect(await kindsMailed(member)).toEqual(['account_closed']);
});
