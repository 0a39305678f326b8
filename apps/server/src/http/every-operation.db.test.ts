import { createHash, randomUUID } from 'node:crypto';
import * as contract from '@sparechange/contract';
import { ErrorBody, type Operation } from '@sparechange/contract';
import { cents, isoDate } from '@sparechange/domain';
import { beforeAll, describe, expect, test } from 'vitest';
import { saveRequest } from '#features/beneficiaries/club-requests/request-repository.ts';
import { requestDonation, undoableForMs } from '#features/collections/donations/request-donation.ts';
import { closeDays } from '#features/core/ledger/booking-day.ts';
import { bindHandOff, insertHandOff } from '#features/supporters/handoff/handoff-repository.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aClub, aPurchase } from '#testing/makers.ts';
import { aPastDebit } from '#testing/past-debit.ts';
import {
  bySite,
  type Case,
  cdrid,
  funding,
  type Named,
  nobody,
  ownUid,
  setting,
  tracked,
  userId,
  withCdrid,
  withUid,
} from './testing/operation-case.ts';

let clubId: string;
let handoff: string;
let clubRequestId: string;
const unbound = 'a-code-to-confirm';
const verifier = 'what-the-challenge-was-made-of';
const hashOf = (text: string) => createHash('sha256').update(text).digest();

const cases: Record<string, Case> = {
  getUser: ownUid,
  register: {
    input: ({ uid }) => ({
      email: 'robin@example.com',
      firstName: 'Robin',
      lastName: 'Banks',
      mobile: '0400000000',
      tenantA: 'default',
      supportingClubId: clubId,
      userId: uid,
      referrer: 'efg:1',
    }),
    headers: { 'idempotency-key': 'the-registration' }, // a repeat: any other registration of a supporter is refused
    malformed: { email: 'robin', firstName: '', lastName: ' ', mobile: '04 0000 000', supportingClubId: 'unknown' },
  },
  onboardingComplete: setting('syncBeginningOfMonth', true, 'yes'),
  consent: cdrid,
  manageConsent: cdrid,
  renewOwnConsent: cdrid,
  extendConsent: { input: () => ({ email: 'robin@example.com' }), malformed: { email: '' } },
  renewExpiredConsent: { input: () => ({ email: 'robin@example.com' }), malformed: { email: 'x'.repeat(255) } },
  checkConsent: {
    input: ({ bankCustomerId }) => ({ externalUserId: bankCustomerId }),
    foreign: (_mine, { bankCustomerId }) => [{ externalUserId: bankCustomerId }],
    malformed: { externalUserId: '' },
  },
  findJobs: cdrid,
  checkJob: {
    input: ({ supporterId, jobId }) => ({ cdrid: supporterId, jobId }),
    foreign: (mine, { jobId }) => [{ cdrid: mine.supporterId, jobId }],
    malformed: { jobId: '' },
  },
  confirmConnection: {
    input: ({ supporterId, jobId }) => ({ cdrid: supporterId, nonce, jobIds: [jobId] }),
    foreign: (mine, { jobId }) => [{ cdrid: mine.supporterId, nonce, jobIds: [jobId] }],
    malformed: { nonce: 'short', jobIds: [] },
  },
  retrieveAccounts: cdrid,
  accounts: userId,
  setRoundUpAccounts: tracked('RoundUpAccounts'),
  updateRoundUpAccounts: tracked('roundUpAccounts'),
  registerFunding: {
    input: (who) => ({ cdrid: who.supporterId, ...bySite, ...funding(who) }),
    foreign: (mine, others) => [
      { cdrid: mine.supporterId, ...bySite, ...funding(others) },
      { cdrid: mine.supporterId, ...bySite, ...funding(mine), account_id: others.account.id },
      { cdrid: mine.supporterId, ...bySite, ...funding(mine), accountId: others.account.providerAccountId },
    ],
    malformed: { account_id: 'x', activeDebitEnabled: false },
  },
  updateFundingAccount: {
    input: (who) => ({
      cdrid: who.supporterId,
      tenantA: 'default',
      accounts: [{ ...funding(who), activeDebitEnabled: true }],
    }),
    foreign: (mine, others) => [
      { cdrid: mine.supporterId, tenantA: 'default', accounts: [{ ...funding(others), activeDebitEnabled: true }] },
      {
        cdrid: mine.supporterId,
        tenantA: 'default',
        accounts: [
          { ...funding(mine), activeDebitEnabled: true },
          { ...funding(others), activeDebitEnabled: false },
        ],
      },
    ],
    malformed: { accounts: [{ account_id: randomUUID(), accountId: 'a', activeDebitEnabled: false }] },
  },
  setPaused: setting('isUserPausedRoundUp', true, 'yes'),
  setRoundUpAmount: setting('roundupAmountCents', 200, 300),
  setWeeklyLimit: setting('weeklyMaximumLimit', 750, 800),
  setSavingsAccount: setting('savingsAccountEnabled', true, 1),
  submitSavingsAccount: setting('values', { accountName: 'Holiday', bsb: '062000', accountNumber: '12345678' }, {}),
  retrieveLinkedSavings: userId,
  retrieveSavingsSplit: cdrid,
  donateNow: {
    input: ({ supporterId }) => ({ values: { amount: 12.34, cdrid: supporterId } }),
    foreign: (_mine, { supporterId }) => [{ values: { amount: 12.34, cdrid: supporterId } }],
    malformed: { values: { amount: 251 } },
  },
  undoDonation: withCdrid({ requestId: 'gift' }, { cdrid: undefined, requestId: '' }),
  debitsYTD: cdrid,
  debitsAllTime: cdrid,
  retrieveTotalDebits: cdrid,
  retrieveGivenPicture: cdrid,
  retrieveHistory: cdrid,
  retrieveWeeklyOutlook: cdrid,
  retrieveAccountEstimates: cdrid,
  retrieveBackdating: cdrid,
  retrieveLine: withCdrid({ lineId: 'a-line' }, { cdrid: undefined, lineId: '' }),
  retrieveNextDebit: cdrid,
  setDebitSkipped: withCdrid({ date: '2026-11-27', isSkipped: true }, { date: 'tomorrow', isSkipped: 'yes' }),
  listReceipts: cdrid,
  downloadReceipt: withCdrid({ kind: 'month', firstDay: '2026-10-01' }, { firstDay: '2026-10-02', kind: 'week' }),
  setDebitNotices: setting('debitNotices', 'weekly', 'daily'),
  setBalanceFloor: setting('balanceFloorCents', 10_000, 1),
  skipDebitByLink: {
    input: ({ supporterId }) => {
      const token = api.debitLinks.skipToken({ supporterId, run: isoDate('2026-11-27') });
      return { token, isSkipped: true };
    },
    malformed: { token: '', isSkipped: 'yes' },
  },
  setDebitNoticesByLink: {
    input: ({ supporterId }) => ({ token: api.debitLinks.stopToken(supporterId), debitNotices: 'weekly' }),
    malformed: { token: 'x'.repeat(201), debitNotices: 'daily' },
  },
  retrieveOffboardingStatus: cdrid,
  stopDebits: cdrid,
  withdrawConsent: cdrid,
  deleteBankData: cdrid,
  downloadEverything: cdrid,
  closeAccount: cdrid,
  createHandoff: withUid({ host: 'riverside-rovers.sparechange.example' }, { host: '' }),
  confirmHandoff: withUid(
    { handoff: unbound, challenge: hashOf(verifier).toString('base64url') },
    { handoff: '', challenge: 'short' },
  ),
  confirmEmail: {
    input: () => ({
      email: 'robin@example.com',
      token: api.renewalLinks.token('confirm', 'robin@example.com', new Date(api.clock.now().getTime() + 60_000)),
    }),
    malformed: { email: '', token: '' },
  },
  endSession: ownUid,
  endEverySession: ownUid,
  exchangeHandoff: { input: () => ({ handoff, verifier }), malformed: { handoff: '' } },
  findClubBySlug: { input: () => ({ club: 'rovers' }), malformed: { club: '' } },
  retrieveClubs: { input: () => ({}), malformed: { parentClubId: 'x'.repeat(81) } },
  findClub: { input: () => ({ clubId }), malformed: { clubId: '' } },
  askToJoin: {
    input: () => ({
      name: 'Bay Rovers',
      abn: '51 824 753 556',
      suburb: 'Bay View',
      purpose: 'Boots',
      contactName: 'Sam',
      email: 'sam@bay.example',
    }),
    malformed: { name: '', abn: '11 111 111 111', suburb: '', purpose: '', contactName: '', email: 'sam' },
  },
  confirmClubRequest: {
    input: () => ({ token: api.clubRequestLinks.token(clubRequestId) }),
    malformed: { token: '' },
  },
  setAdviceFrequencyByLink: {
    input: () => ({ token: api.adviceLinks.token(clubId), frequency: 'weekly' }),
    malformed: { token: '', frequency: 'daily' },
  },
};

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'path' in value;
const operations = Object.values<unknown>(contract).filter(isOperation);

/** Nonce of a bank link that was opened. */
const nonce = 'q4mFv0nJ2bX8sT1yLwZ3eA';

const api = ownApp();
let mine: Named;
let others: Named;
beforeAll(async () => {
  clubId = await aClub(api.db, { slug: 'rovers' });
  const club = { name: 'Bay Rovers', abn: '53004085616', suburb: 'Bay View', purpose: 'Boots', contactName: 'Sam' };
  const asked = { ...club, email: 'sam@bay.example', tenantKey: 'default', at: api.clock.now() };
  clubRequestId = (await saveRequest(api.db, asked)) ?? '';
  const supporter = await api.supporter();
  [mine, others] = [supporter, await api.supporter()];
  await api.rows`update supporters set registration_key = 'the-registration' where uid = ${mine.uid}`;
  await aPastDebit(api.db, { ...mine, clubId }, { day: '2026-10-07' });
  await closeDays(api.db, isoDate('2026-10-31'));
  await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [aPurchase(supporter, { id: 'a-line' })]);
  await api.rows`
    insert into consent_links (supporter_id, ticket_hash, purpose, tenant_key, is_renewal, asked_at, opened_at, nonce_hash)
    values (${mine.supporterId}, 'ticket', 'connect', 'default', false, ${api.clock.now()}, ${api.clock.now()},
      ${createHash('sha256').update(`consent ${nonce}`).digest()})`;
  const gift = { amount: cents(5_00), requestId: 'gift', heldForMs: undoableForMs };
  await requestDonation(api.db.of(mine.supporterId), api.clock, api.tenants, mine.supporterId, gift);
  handoff = 'a-code-for-this-host';
  const asker = { uid: mine.uid, host: 'localhost:80', authTime: null, since: 0, sessionId: null };
  for (const code of [handoff, unbound]) await insertHandOff(api.db, hashOf(code), asker, 60);
  await bindHandOff(api.db, hashOf(handoff), mine.uid, hashOf(verifier));
});

test('every operation of the contract is in this table', () => {
  expect(Object.keys(cases).toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length);
});

const refusal = (body: unknown) => {
  const { code, message } = ErrorBody.parse(body).error;
  return { code, message };
};

describe.each(operations)('$name', (operation) => {
  const { input, foreign, malformed, headers = {} } = cases[operation.name] ?? { input: () => ({}), malformed: {} };
  const uid = () => (operation.access === 'supporter' ? mine.uid : undefined);

  test('answers as the contract says', async () => {
    const answer = await api.send(operation, input(mine), { uid: uid(), headers });
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(operation.output.parse(answer.body)).toEqual(answer.body);
  });

  test.each([
    ['without an apikey', { apikey: '' }],
    ['with an unknown apikey', { apikey: 'apikey-of-nobody-at-all' }],
    ["with another tenant's name", { tenant: 'riverside_rovers' }],
    ['without a tenant', { tenant: '' }],
  ])('%s is refused', async (_what, headers) => {
    const answer = await api.send(operation, input(mine), { uid: uid(), headers });
    expect([answer.status, refusal(answer.body).code]).toEqual([401, 'unknown-tenant']);
  });

  test('a malformed body is refused, naming what is wrong', async () => {
    for (const [field, value] of Object.entries(malformed)) {
      const answer = await api.send(operation, { ...input(mine), [field]: value }, { uid: uid() });
      expect([field, answer.status, refusal(answer.body).code]).toEqual([field, 400, 'invalid-input']);
      expect(Object.keys(answer.body.error.fields ?? {}).join()).toMatch(new RegExp(`^${field}`));
    }
  });

  if (operation.method === 'POST') {
    test.each([[null], [[]], ['text'], [7]])('a body that is %j is refused', async (body) => {
      const answer = await api.send(operation, body, { uid: uid() });
      expect([answer.status, refusal(answer.body).code]).toEqual([400, 'invalid-input']);
    });
  }

  if (operation.access !== 'supporter') return;

  test.each([
    ['without a token', {}],
    ['with a token that is not valid', { authorization: 'Bearer expired' }],
    ['with something else than a token', { authorization: 'Basic cm9iaW46YmFua3M=' }],
  ])('%s is refused', async (_what, headers) => {
    const answer = await api.send(operation, input(mine), { headers });
    expect([answer.status, refusal(answer.body).code]).toEqual([401, 'signed-out']);
  });

  test("another supporter's id is refused like one that does not exist", async () => {
    const named = (who: Named) => [
      { ...input(mine), cdrid: who.supporterId },
      { ...input(mine), userId: who.uid },
      { ...input(mine), userId: who.supporterId },
      { ...input(mine), cdrid: who.supporterId, values: null },
      ...(foreign?.(mine, who) ?? []),
    ];
    const absent = named(nobody);
    for (const [at, body] of named(others).entries()) {
      const [theirs, nobodys] = [
        await api.send(operation, body, { uid: mine.uid }),
        await api.send(operation, absent[at], { uid: mine.uid }),
      ];
      expect([body, theirs.status, refusal(theirs.body)]).toEqual([body, 403, refusal(nobodys.body)]);
      expect(nobodys.status).toBe(403);
    }
  });
});
