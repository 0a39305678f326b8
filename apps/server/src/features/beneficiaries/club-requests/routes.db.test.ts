import { randomUUID } from 'node:crypto';
import { askToJoin, confirmClubRequest } from '@sparechange/contract';
import {
  approveClubRequest,
  listClubRequests,
  lookUpAbn,
  refuseClubRequest,
  retrieveClub,
} from '@sparechange/contract/console';
import { beforeAll, expect, test, vi } from 'vitest';
import { brandOf } from '#features/correspondence/emails/email.ts';
import type { BusinessRegister } from '#ports/business-register.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { aClub, aTenant, someTenants } from '#testing/makers.ts';
import { requestComposer } from './compose-request-mail.ts';
import { saveRequest } from './request-repository.ts';

const parentId = 'c0c0c0c0-0000-4000-8000-000000000001';
const register: BusinessRegister = {
  find: async (abn) => {
    if (abn === '83914571673') throw new ProviderUnavailable('late');
    return abn === '51824753556' ? { name: 'BAY CHOIR INC', isActive: true } : undefined;
  },
};
const api = ownApp({
  businessRegister: register,
  tenants: someTenants(
    aTenant(),
    aTenant({ key: 'bay-league', parentClubId: parentId }),
    aTenant({ key: 'over', parentClubId: randomUUID(), endsOn: '2026-11-01' }),
  ),
});
let owner: TestOperator;
beforeAll(async () => {
  owner = await anOperator(api.db);
  await aClub(api.db, { id: parentId, slug: 'bay-league-clubs' });
});

const form = {
  name: 'Bay Choir <b>http://evil.example</b>',
  abn: '51 824 753 556',
  suburb: 'Bay View',
  purpose: 'Sheet music',
  contactName: 'Sam Song',
};
const ask = (email: string, changes: object = {}) => api.call(askToJoin, { ...form, email, ...changes });
const mailsOf = async (email: string) => {
  const compose = requestComposer({ ...api, brand: brandOf(aTenant(), new URL('https://sparechange.example')) });
  const mails = await api.db<{ facts: object }[]>`
    select facts from mails where facts->>'requestId' in (select id::text from club_requests where contact_email = ${email}) order by id`;
  return Promise.all(mails.map((mail) => compose(mail as never, api.clock.now())));
};
const confirm = async (email: string) => {
  const [request] = await api.db<{ id: string }[]>`select id from club_requests where contact_email = ${email}`;
  const id = request?.id ?? '';
  return { id, ...(await api.call(confirmClubRequest, { token: api.clubRequestLinks.token(id) })) };
};
const waiting = async () => (await callConsole(api.app, listClubRequests, {}, owner)).body;

test("a request waits for its contact, whose email contains none of the requester's text", async () => {
  expect((await ask('Sam@Choir.example')).status).toBe(200);
  expect(await waiting()).toEqual({ rows: [], next: null, count: 0 });
  const [mail] = await mailsOf('sam@choir.example');
  expect(mail).toMatchObject({ to: 'sam@choir.example', subject: 'Please confirm that your club asks to join' });
  expect(JSON.stringify(mail)).not.toMatch(/evil|Choir <|Song|Sheet/);
  const { status, body } = await confirm('sam@choir.example');
  expect([status, body]).toEqual([200, { club: form.name }]);
  expect((await confirm('sam@choir.example')).status).toBe(200);
  expect(await waiting()).toMatchObject({ count: 1, rows: [{ abn: '51824753556', email: 'sam@choir.example' }] });
});

test('a contact is emailed once for repeated requests of a day, and not at all after confirming', async () => {
  await ask('kim@choir.example');
  await ask('kim@choir.example', { suburb: 'Hill View' });
  expect(await mailsOf('kim@choir.example')).toHaveLength(1);
  await confirm('kim@choir.example');
  api.clock.setTo('2026-11-27T01:00:00Z');
  await ask('kim@choir.example', { suburb: 'Elsewhere' });
  expect(await mailsOf('kim@choir.example')).toHaveLength(1);
  expect((await waiting()).rows.find(({ email }) => email === 'kim@choir.example')?.suburb).toBe('Hill View');
});

test('nobody can have an address emailed more than three times a day, with any suffix after a plus', async () => {
  const abns = ['53 004 085 616', '51 824 753 556', '33 102 417 032', '83 914 571 673'];
  const statuses = await Promise.all(
    abns.map(async (abn, at) => (await ask(`eve+${at}@choir.example`, { abn })).status),
  );
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test.each([
  ['51824753556', { state: 'active', name: 'BAY CHOIR INC' }],
  ['53004085616', { state: 'unknown', name: null }],
  ['83914571673', { state: 'unavailable', name: null }],
])('the register shows whose the ABN %s is, or that it does not answer', async (abn, answer) => {
  const asked = { ...form, abn, email: 'sam@look.example', tenantKey: 'default', at: api.clock.now() };
  const requestId = await saveRequest(api.db, asked);
  expect((await callConsole(api.app, lookUpAbn, { requestId }, owner)).body).toEqual(answer);
});

test('a register that does not answer is logged with the reason', async () => {
  const warn = vi.spyOn(api.app.log, 'warn');
  const asked = { ...form, abn: '83914571673', email: 'sam@log.example', tenantKey: 'default', at: api.clock.now() };
  const requestId = await saveRequest(api.db, asked);
  await callConsole(api.app, lookUpAbn, { requestId }, owner);
  expect(warn).toHaveBeenCalledWith({ err: expect.objectContaining({ message: 'late' }) }, expect.any(String));
  warn.mockRestore();
});

test('an approved request is a club under its brand, whose contact is emailed', async () => {
  await ask('lee@choir.example');
  const { id: requestId } = await confirm('lee@choir.example');
  const approve = (changes: object) =>
    callConsole(
      api.app,
      approveClubRequest,
      { requestId, tenant: 'bay-league', name: 'Bay Choir', slug: 'bay-choir', ...changes },
      owner,
    );
  expect((await approve({ tenant: 'nobody' })).body.error.fields).toEqual({
    tenant: 'That brand has no clubs of its own',
  });
  expect((await approve({ tenant: 'over' })).body.error.fields).toEqual({
    tenant: 'The campaign of that brand is over',
  });
  expect((await approve({ slug: 'bay-league-clubs' })).status).toBe(409);
  const { body } = await approve({});
  const { body: club } = await callConsole(api.app, retrieveClub, { clubId: body.clubId }, owner);
  expect(club).toMatchObject({
    name: 'Bay Choir',
    contactEmail: 'lee@choir.example',
    suburb: 'Bay View',
    account: null,
    parent: { id: parentId },
  });
  expect((await approve({})).body.error.message).toBe('The request has already been decided.');
  expect(club.address).toBe('https://bay-league.sparechange.example/bay-choir');
  expect((await mailsOf('lee@choir.example')).at(-1)).toMatchObject({
    subject: 'Bay Choir can be supported',
    text: expect.stringContaining(`Open its page:\n${club.address}`),
  });
});

test('a refused request shows the reason, and is deleted after 90 days; an unconfirmed one after a week', async () => {
  await ask('max@choir.example');
  const { id: requestId } = await confirm('max@choir.example');
  const refuse = () => callConsole(api.app, refuseClubRequest, { requestId, reason: 'The ABN is not yours.' }, owner);
  expect((await refuse()).status).toBe(200);
  expect((await refuse()).status).toBe(409);
  expect((await mailsOf('max@choir.example')).at(-1)).toMatchObject({
    text: expect.stringContaining('The ABN is not yours.'),
  });
  await saveRequest(api.db, { ...form, email: 'ned@choir.example', tenantKey: 'default', at: api.clock.now() });
  api.clock.setTo('2027-03-27T01:00:00Z');
  expect((await confirm('ned@choir.example')).status).toBe(404);
  expect(
    await api.db`select from club_requests where contact_email in ('max@choir.example', 'ned@choir.example')`,
  ).toHaveLength(0);
});

test('a forged link confirms nothing', async () => {
  expect((await api.call(confirmClubRequest, { token: 'x' })).status).toBe(404);
});
