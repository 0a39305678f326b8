import * as contract from '@sparechange/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AppUnderTest, anApp } from '#testing/app-under-test.ts';

let api: AppUnderTest;
beforeAll(async () => {
  api = await anApp();
});
afterAll(() => api.close());

/** A registered supporter whom the bank does not know yet. */
async function newcomer() {
  const supporter = await api.supporter({ consentActive: false, roundsFrom: null });
  await api.db`update supporters set bank_customer_id = null where supporter_id = ${supporter.supporterId}`;
  return supporter;
}

test('the first consent makes one customer at the provider and answers a link of the bank', async () => {
  const { supporterId: cdrid, uid } = await newcomer();
  const before = api.bankLink.customers.length;
  const first = await api.call(contract.consent, { cdrid }, { uid, tenant: 'riverside-rovers' });
  await api.call(contract.consent, { cdrid }, { uid });
  expect(api.bankLink.customers).toHaveLength(before + 1);
  expect(new URL(first.body.consentLink).host).toBe('bank.test');
  expect(api.bankLink.links.at(-2)).toMatchObject({ purpose: 'first consent', state: 'riverside-rovers' });
});

test('with an active consent the link connects another bank or manages what there is', async () => {
  const { supporterId: cdrid, uid, bankCustomerId: customerId } = await api.supporter();
  await api.call(contract.consent, { cdrid }, { uid });
  await api.call(contract.manageConsent, { cdrid }, { uid });
  expect(api.bankLink.links.slice(-2)).toMatchObject([
    { customerId, purpose: 'connect' },
    { customerId, purpose: 'manage' },
  ]);
});

test('no link is kept anywhere in the database', async () => {
  const { supporterId: cdrid, uid } = await api.supporter();
  await api.call(contract.consent, { cdrid }, { uid });
  const [row] = await api.db`
    select supporters::text || coalesce((select string_agg(audit_log::text, '') from audit_log
      where audit_log.supporter_id = supporters.supporter_id), '') as all from supporters where supporter_id = ${cdrid}`;
  expect(row?.all).not.toContain('bank.test');
});

test('a consent that ended is noticed when it is asked for, and then nothing is collected', async () => {
  const { supporterId: cdrid, uid, bankCustomerId: externalUserId } = await api.supporter();
  const check = async () => (await api.call(contract.checkConsent, { externalUserId }, { uid })).body.activeConsents;
  expect(await check()).toBe(true);
  api.bankLink.endConsent(externalUserId, 'revoked');
  expect(await check()).toBe(false);
  const [row] = await api.db`select consent_active from supporters where supporter_id = ${cdrid}`;
  expect(row).toEqual({ consent_active: false });
  const notes = await api.db`select actor, action from audit_log where supporter_id = ${cdrid}`;
  expect([...notes]).toEqual([{ actor: 'open banking', action: 'consent withdrawn' }]);
});

test('the newest job is found, and none where there is none', async () => {
  const { supporterId: cdrid, uid, jobId } = await api.supporter();
  expect((await api.call(contract.findJobs, { cdrid }, { uid })).body).toEqual({ jobId });
  const stranger = await newcomer();
  const answer = await api.call(contract.findJobs, { cdrid: stranger.supporterId }, { uid: stranger.uid });
  expect(answer.status).toBe(404);
});

test.each([
  ['done', 200, { status: 200 }],
  ['pending', 202, { status: 202 }],
] as const)('a job that is %s answers %i', async (state, status, body) => {
  const { supporterId: cdrid, uid, jobId, bankCustomerId } = await api.supporter();
  api.bankLink.setJob(bankCustomerId, state);
  expect(await api.call(contract.checkJob, { cdrid, jobId }, { uid })).toMatchObject({ status, body });
});

test('a job that failed at the bank is a conflict', async () => {
  const { supporterId: cdrid, uid, jobId, bankCustomerId } = await api.supporter();
  api.bankLink.setJob(bankCustomerId, 'failed');
  const answer = await api.call(contract.checkJob, { cdrid, jobId }, { uid });
  expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
});

test.each([contract.extendConsent, contract.renewExpiredConsent])(
  '$name answers the same for a known and an unknown address, and nothing of the bank',
  async (operation) => {
    const { email } = await api.supporter();
    const [known, unknown] = [
      await api.call(operation, { email }),
      await api.call(operation, { email: 'nobody@example.com' }),
    ];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    expect(new URL(known.body.consentLink).host).toBe('sparechange.example');
  },
);
