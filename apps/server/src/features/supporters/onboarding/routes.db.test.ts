import * as contract from '@sparechange/contract';
import { beforeAll, expect, test } from 'vitest';
import { supporterIdOf } from '#caller.ts';
import { endedClubId, ownApp } from '#testing/app-under-test.ts';
import { aClub } from '#testing/makers.ts';

const api = ownApp();
let clubId: string;
beforeAll(async () => {
  clubId = await aClub(api.db);
});

const form = (uid: string) => ({
  email: 'someone.else@example.com',
  firstName: ' Robin ',
  lastName: 'Banks',
  mobile: '0400000000',
  tenantA: 'default',
  supportingClubId: clubId,
  userId: uid,
  referrer: 'efg:7',
});

test('registering creates the supporter of the signed-in identity, under its verified address', async () => {
  const answer = await api.call(contract.register, form('uid-1'), { uid: 'uid-1' });
  expect(answer).toMatchObject({ status: 200, body: { CDRID: supporterIdOf('uid-1') } });
  const [row] = await api.rows`select * from supporters where supporter_id = ${answer.body.CDRID}`;
  expect(row).toMatchObject({
    uid: 'uid-1',
    email: 'uid-1@example.com',
    first_name: 'Robin',
    tenant_key: 'default',
    club_id: clubId,
    referrer: 'efg:7',
    round_up_step: 100,
    weekly_limit_cents: 0,
    onboarded_on: null,
  });
});

const again = { headers: { 'idempotency-key': '0b7c1f0e-9a53-4c1b-8a53-1c0ffee0cafe' } };

test('a repeated registration request gets the same answer and changes nothing, also in parallel', async () => {
  const register = () => api.call(contract.register, form('uid-2'), { uid: 'uid-2', ...again });
  const answers = await Promise.all([register(), register(), register()]);
  expect(answers.map((answer) => [answer.status, answer.body.CDRID])).toEqual(
    Array(3).fill([200, supporterIdOf('uid-2')]),
  );
});

test.each([
  ['with another request', { headers: { 'idempotency-key': '1b7c1f0e-9a53-4c1b-8a53-1c0ffee0cafe' } }],
  ['without a request id', {}],
])('a supporter who registers again %s is refused, and nothing is changed', async (how, headers) => {
  const uid = how.replaceAll(' ', '-');
  await api.call(contract.register, form(uid), { uid, ...again });
  const other = await aClub(api.db);
  const changed = { ...form(uid), firstName: 'Other', supportingClubId: other };
  const answer = await api.call(contract.register, changed, { uid, ...headers });
  expect([answer.status, answer.body.error.code, answer.body.CDRID]).toEqual([409, 'conflict', undefined]);
  const rows = await api.rows`select first_name, club_id from supporters where uid = ${uid}`;
  expect([...rows]).toEqual([{ first_name: 'Robin', club_id: clubId }]);
});

test.each([
  ['firstName', '', 'First name is required'],
  ['lastName', '', 'Last name is required'],
  ['email', '', 'Email is required'],
  ['email', 'robin', 'Enter a valid email'],
  ['mobile', '', 'Mobile number is required'],
  ['mobile', '040000000', 'Mobile number must be 10 digits, no spaces'],
])('a %s of "%s" is refused with the words of the form', async (field, value, message) => {
  const answer = await api.call(contract.register, { ...form('uid-3'), [field]: value }, { uid: 'uid-3' });
  expect([answer.status, answer.body.error.fields]).toEqual([400, { [field]: message }]);
});

test('once a campaign has ended nobody registers', async () => {
  const answer = await api.call(
    contract.register,
    { ...form('uid-4'), tenantA: 'ended' },
    { uid: 'uid-4', tenant: 'ended' },
  );
  expect([answer.status, answer.body.error.code]).toEqual([403, 'campaign-ended']);
});

test('nobody registers for the club of an ended campaign through another tenant either', async () => {
  await aClub(api.db, { id: endedClubId });
  const answer = await api.call(
    contract.register,
    { ...form('uid-6'), supportingClubId: endedClubId },
    { uid: 'uid-6' },
  );
  expect([answer.status, answer.body.error.code]).toEqual([403, 'campaign-ended']);
});

test('the supporter of an ended campaign sees the dropped amount', async () => {
  const { uid, supporterId } = await api.supporter({ tenantKey: 'ended' });
  const { body } = await api.call(contract.getUser, { userId: uid }, { uid });
  expect(body.userRecord.document).toMatchObject({
    nextDebit: null,
    campaignEnded: { on: '2026-11-25', droppedCents: 0 },
  });
  const running = await api.supporter();
  const other = await api.call(contract.getUser, { userId: running.uid }, { uid: running.uid });
  expect(other.body.userRecord.document.campaignEnded).toBeUndefined();
  expect(supporterId).not.toBe(running.supporterId);
});

test("another tenant's tenantA is refused", async () => {
  const answer = await api.call(contract.register, { ...form('uid-5'), tenantA: 'riverside-rovers' }, { uid: 'uid-5' });
  expect(answer.status).toBe(400);
});

test.each([
  [true, '2026-11-01'],
  [false, '2026-11-25'],
])(
  'finishing with backdating %s counts purchases from %s and fetches them soon',
  async (syncBeginningOfMonth, from) => {
    const supporter = await api.supporter({ roundsFrom: null });
    const { supporterId: cdrid, uid } = supporter;
    const answer = await api.call(contract.onboardingComplete, { cdrid, syncBeginningOfMonth }, { uid });
    expect(answer.body.userRecord.document).toMatchObject({
      onboardingComplete: true,
      nextDebit: { date: '2026-11-27', amountCents: 0 },
    });
    const [row] = await api.rows`select onboarded_on, rounds_from from supporters where supporter_id = ${cdrid}`;
    expect(row).toEqual({ onboarded_on: '2026-11-25', rounds_from: from });
    const due = await api.rows`select kind, due_at as "dueAt" from supporter_work where supporter_id = ${cdrid}`;
    expect([...due]).toEqual([{ kind: 'sync', dueAt: api.clock.now() }]);
  },
);

test('finishing again changes nothing', async () => {
  const { supporterId: cdrid, uid } = await api.supporter({ roundsFrom: '2026-10-05' });
  await api.call(contract.onboardingComplete, { cdrid, syncBeginningOfMonth: true }, { uid });
  const [row] = await api.rows`select rounds_from from supporters where supporter_id = ${cdrid}`;
  expect(row).toEqual({ rounds_from: '2026-10-05' });
});

test.each([{ account: false }, { consentActive: false }])('with %j onboarding cannot be finished', async (lacking) => {
  const { supporterId: cdrid, uid } = await api.supporter({ roundsFrom: null, ...lacking });
  const answer = await api.call(contract.onboardingComplete, { cdrid, syncBeginningOfMonth: true }, { uid });
  expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
});

test('an identity that has not registered is told that there is no supporter', async () => {
  const answer = await api.call(contract.getUser, { userId: 'uid-new' }, { uid: 'uid-new' });
  expect([answer.status, answer.body.error.code]).toEqual([404, 'not-found']);
});
