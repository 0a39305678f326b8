import { randomUUID } from 'node:crypto';
import * as contract from '@sparechange/contract/console';
import { beforeEach, expect, test } from 'vitest';
import { listSuspendedTenants, suspendTenant } from '#features/collections/debits/suspended-tenants.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { aClub, forgetEverything } from '#testing/makers.ts';

const api = ownApp();
beforeEach(() => forgetEverything(api.db));

const actor = ({ id }: TestOperator) => ({ kind: 'console' as const, id });
const list = async (person: TestOperator) => (await callConsole(api.app, contract.listApprovals, {}, person)).body;

async function asked(by: TestOperator): Promise<string> {
  await suspendTenant({ ...api, actor: { kind: 'operating_system', id: 'robin' } }, 'default', 'a complaint');
  const answer = await api.acts.resumption(
    actor(by),
    { tenant: 'default', since: api.clock.now() },
    'Debits of default are resumed',
  );
  return 'approval' in answer ? answer.approval.id : '';
}

test('an act that one person requests and another agrees to is done; both are in the audit log', async () => {
  const finance = await anOperator(api.db, { roles: ['finance'] });
  const owner = await anOperator(api.db);
  const id = await asked(finance);
  expect(await list(finance)).toMatchObject({
    approvals: [{ id, state: 'asked', isOwn: true, askedBy: 'Pat Person' }],
  });
  expect(await list(owner)).toMatchObject({ approvals: [{ id, isOwn: false }] });

  const own = await callConsole(api.app, contract.agreeToApproval, { id }, finance);
  expect([own.status, own.body.error.message]).toEqual([403, 'You asked for this; another person has to agree.']);
  const agreed = await callConsole(api.app, contract.agreeToApproval, { id }, owner);
  expect([agreed.status, agreed.body]).toEqual([200, { isUnderWay: false, shownOnce: null }]);
  expect(await listSuspendedTenants(api.db)).toEqual([]);
  expect(await list(finance)).toMatchObject({ approvals: [{ id, state: 'done', decidedBy: 'Pat Person' }] });

  const { body } = await callConsole(api.app, contract.listAuditEntries, { search: 'approval' }, owner);
  const people = body.rows.filter(({ action }) => /^approval (asked|agreed)/.test(action)).map(({ by }) => by);
  const agreement = body.rows.find(({ action }) => action === 'approval agreed');
  expect(agreement?.details.askedBy).toBe('Pat Person');
  expect(people).toEqual(['Pat Person', 'Pat Person']);
});

test('a refused act cannot be done, even by its requester', async () => {
  const finance = await anOperator(api.db, { roles: ['finance'] });
  const id = await asked(finance);
  expect((await callConsole(api.app, contract.refuseApproval, { id }, finance)).status).toBe(200);
  expect((await callConsole(api.app, contract.agreeToApproval, { id }, await anOperator(api.db))).status).toBe(409);
  expect(await listSuspendedTenants(api.db)).toHaveLength(1);
});

test('decided requests are listed for a day, and lapsed ones for seven, by the clock of the product', async () => {
  const finance = await anOperator(api.db, { roles: ['finance'] });
  const after = (hours: number) =>
    api.clock.setTo(new Date(api.clock.now().getTime() + hours * 3_600_000).toISOString());
  const states = async () => (await list(finance)).approvals.map(({ state }: { state: string }) => state);
  await asked(finance);
  after(7 * 24 + 1);
  expect(await states()).toEqual(['lapsed']);
  const id = await asked(finance);
  await callConsole(api.app, contract.refuseApproval, { id }, finance);
  after(23);
  expect(await states()).toEqual(['refused', 'lapsed']);
  after(1);
  expect(await states()).toEqual(['lapsed']);
  after(6 * 24);
  expect(await states()).toEqual([]);
});

test('a list that is cut shows how many older requests wait, of those that the person decides on', async () => {
  const [olive, other] = [await anOperator(api.db), await anOperator(api.db)];
  const finance = await anOperator(api.db, { roles: ['finance'] });
  for (const name of ['one', 'two', 'three'])
    await api.acts.apiKey(actor(olive), { name, scopes: ['write_clubs'], days: 30 }, `Key ${name}`);
  const id = await asked(olive);
  const cut = async (input: object, person: TestOperator) => {
    const { body } = await callConsole(api.app, contract.listApprovals, input, person);
    return [body.approvals.map(({ act }: { act: string }) => act), body.leftOut];
  };
  expect(await cut({ limit: 2 }, other)).toEqual([['tenant_resume', 'api_key'], 2]);
  expect(await cut({ limit: 4 }, other)).toEqual([['tenant_resume', 'api_key', 'api_key', 'api_key'], 0]);
  expect(await cut({ act: 'api_key', limit: 1 }, other)).toEqual([['api_key'], 2]);
  expect(await cut({ limit: 1 }, finance)).toEqual([['tenant_resume'], 0]);
  expect(await cut({ act: 'api_key' }, finance)).toEqual([[], 0]);
  await callConsole(api.app, contract.refuseApproval, { id }, other);
  expect(await cut({ limit: 2 }, other)).toEqual([['api_key', 'api_key'], 1]);
});

test('keys and rules are for owners to decide on, and are not shown to finance', async () => {
  const owner = await anOperator(api.db);
  const request = { name: 'a club’s site', scopes: ['write_clubs' as const], days: 30 };
  const answer = await api.acts.apiKey(actor(owner), request, 'A key that writes');
  const id = 'approval' in answer ? answer.approval.id : '';
  const finance = await anOperator(api.db, { roles: ['finance'] });
  expect(await list(finance)).toEqual({ approvals: [], leftOut: 0, unconfirmedChanges: [] });
  for (const operation of [contract.agreeToApproval, contract.refuseApproval]) {
    const { status, body } = await callConsole(api.app, operation, { id }, finance);
    expect([status, body.error.message]).toEqual([403, 'An owner decides on this.']);
    expect((await callConsole(api.app, operation, { id: randomUUID() }, finance)).status).toBe(404);
  }
  const { body } = await callConsole(api.app, contract.agreeToApproval, { id }, await anOperator(api.db));
  expect(body.shownOnce).toMatch(/\w{20}/);
});

test('choosing two people takes effect immediately, and one only when another owner has agreed', async () => {
  const [olive, oscar] = [await anOperator(api.db), await anOperator(api.db)];
  const choose = async (people: 1 | 2) =>
    (await callConsole(api.app, contract.choosePeopleNeeded, { people }, olive)).body.asked;
  const rule = async () => (await callConsole(api.app, contract.retrievePeopleNeeded, {}, oscar)).body;
  expect(await rule()).toEqual({ people: 2, chosenBy: null });
  expect(await choose(2)).toBeNull();
  const waiting = await choose(1);
  expect(await rule()).toEqual({ people: 2, chosenBy: 'Pat Person' });
  const finance = await anOperator(api.db, { roles: ['finance'] });
  for (const [person, status] of [
    [olive, 403],
    [finance, 403],
    [oscar, 200],
  ] as const)
    expect((await callConsole(api.app, contract.agreeToApproval, { id: waiting?.id }, person)).status).toBe(status);
  expect(await rule()).toEqual({ people: 1, chosenBy: 'Pat Person' });
  expect(await choose(2)).toBeNull();
  expect(await rule()).toMatchObject({ people: 2 });
});

test('in production one of several owners cannot choose one person alone, even if nobody has chosen', async () => {
  const [olive] = [await anOperator(api.db), await anOperator(api.db)];
  expect((await callConsole(api.app, contract.choosePeopleNeeded, { people: 1 }, olive)).body.asked).not.toBeNull();
  expect((await callConsole(api.app, contract.retrievePeopleNeeded, {}, olive)).body).toEqual({
    people: 2,
    chosenBy: null,
  });
});

test("an owner left alone by another's removal cannot choose one person alone", async () => {
  const [olive, oscar] = [await anOperator(api.db), await anOperator(api.db, { roles: ['viewer'] })];
  const asked = await api.acts.roles(
    actor(olive),
    { personId: oscar.id, roles: ['owner'], clubIds: [] },
    'Make Oscar owner',
  );
  if (!('approval' in asked)) throw new Error('One person was enough.');
  await api.acts.agree({ kind: 'operating_system', id: 'alice' }, asked.approval.id);
  expect((await callConsole(api.app, contract.removePerson, { personId: oscar.id }, olive)).status).toBe(200);
  expect((await callConsole(api.app, contract.choosePeopleNeeded, { people: 1 }, olive)).body.asked).not.toBeNull();
});

test('in production the only owner chooses one person alone as long as nobody has chosen, Today shows it, and one is enough', async () => {
  const olive = await anOperator(api.db);
  const [viewer, other] = [
    await anOperator(api.db, { roles: ['viewer'] }),
    await anOperator(api.db, { roles: ['viewer'] }),
  ];
  const neededToday = async () => (await callConsole(api.app, contract.retrieveToday, {}, viewer)).body.peopleNeeded;
  const choose = async (people: 1 | 2) =>
    (await callConsole(api.app, contract.choosePeopleNeeded, { people }, olive)).body.asked;
  expect(await neededToday()).toBe(2);
  expect(await choose(1)).toBeNull();
  const rule = (await callConsole(api.app, contract.retrievePeopleNeeded, {}, olive)).body;
  expect([rule, await neededToday()]).toEqual([{ people: 1, chosenBy: 'Pat Person' }, 1]);
  const noted = await api.db`select details from audit_log where action = 'one person is enough for every act'`;
  expect(noted).toMatchObject([{ details: { by: `console ${olive.id}` } }]);
  const roles = { personId: other.id, roles: ['owner'] };
  expect((await callConsole(api.app, contract.setRoles, roles, olive)).body).toEqual({ awaitsApproval: false });

  expect(await choose(2)).toBeNull();
  expect(await choose(1)).not.toBeNull();
  expect(await neededToday()).toBe(2);
});

test('requests of a person who was removed, recovered or lost the role are refused, with the reason', async () => {
  for (const [operation, input, because] of [
    [contract.removePerson, {}, 'The person who asked for this was removed.'],
    [contract.recoverPerson, {}, 'The sign-in of the person who asked for this was recovered; they have to ask again.'],
    [contract.setRoles, { roles: ['support'] }, 'The person who asked for this may no longer ask for it.'],
  ] as const) {
    await forgetEverything(api.db);
    const [finance, owner] = [await anOperator(api.db, { roles: ['finance'] }), await anOperator(api.db)];
    const id = await asked(finance);
    expect((await callConsole(api.app, operation, { personId: finance.id, ...input }, owner)).status).toBe(200);
    const { status, body } = await callConsole(api.app, contract.agreeToApproval, { id }, owner);
    expect([status, body.error.message]).toEqual([409, because]);
    await expect(api.acts.agree({ kind: 'operating_system', id: 'ben' }, id)).rejects.toThrow(because);
    expect(await list(owner)).toMatchObject({ approvals: [{ id, state: 'refused', failure: because }] });
    expect(await listSuspendedTenants(api.db)).toHaveLength(1);
  }
});

test('an agreed act that failed half-way is carried out although its requester was removed', async () => {
  const [finance, owner] = [await anOperator(api.db, { roles: ['finance'] }), await anOperator(api.db)];
  const id = await asked(finance);
  await api.db`
    update approvals set state = 'agreed', decided_by_kind = 'console', decided_by = ${owner.id}, decided_at = asked_at,
      failure = 'an error of the product'
    where id = ${id}`;
  expect((await callConsole(api.app, contract.removePerson, { personId: finance.id }, owner)).status).toBe(200);
  expect(await list(owner)).toMatchObject({ approvals: [{ id, state: 'agreed' }] });
  expect((await callConsole(api.app, contract.agreeToApproval, { id }, owner)).status).toBe(200);
  expect(await listSuspendedTenants(api.db)).toEqual([]);
});

test('lapsed requests are not refused as well', async () => {
  const [finance, owner] = [await anOperator(api.db, { roles: ['finance'] }), await anOperator(api.db)];
  const id = await asked(finance);
  await api.db`update approvals set expires_at = asked_at where id = ${id}`;
  expect((await callConsole(api.app, contract.removePerson, { personId: finance.id }, owner)).status).toBe(200);
  expect(await list(owner)).toMatchObject({ approvals: [{ id, state: 'lapsed', failure: null }] });
});

test('a person whose new roles still permit a request keeps it', async () => {
  const [finance, owner] = [await anOperator(api.db, { roles: ['finance', 'support'] }), await anOperator(api.db)];
  const id = await asked(finance);
  await callConsole(api.app, contract.setRoles, { personId: finance.id, roles: ['finance'] }, owner);
  expect((await callConsole(api.app, contract.agreeToApproval, { id }, owner)).status).toBe(200);
});

test('a treasurer who lost a club has no say on its bank details, which no longer change, but on those of another', async () => {
  const [lost, kept] = [await aClub(api.db), await aClub(api.db)];
  const treasurer = await anOperator(api.db, { roles: ['treasurer'], clubIds: [lost, kept] });
  const owner = await anOperator(api.db);
  const requests: string[] = [];
  for (const clubId of [lost, kept]) {
    const details = { clubId, bsb: '062-000', accountNumber: '87654321', accountName: 'Rovers' };
    expect((await callConsole(api.app, contract.changeBankDetails, details, treasurer)).status).toBe(200);
    const [made] = await api.db<{ id: string }[]>`select id from approvals where not id = any(${requests}::uuid[])`;
    requests.push(made?.id ?? '');
  }
  const fewer = { personId: treasurer.id, roles: ['treasurer'], clubIds: [kept] };
  expect((await callConsole(api.app, contract.setRoles, fewer, owner)).status).toBe(200);
  const statuses = [];
  for (const id of requests)
    statuses.push((await callConsole(api.app, contract.agreeToApproval, { id }, await anOperator(api.db))).status);
  expect(statuses).toEqual([409, 200]);
  const changeOf = async (clubId: string) =>
    (await callConsole(api.app, contract.retrieveBankDetailChange, { clubId }, owner)).body.change;
  expect(await changeOf(lost)).toBeNull();
  expect(await changeOf(kept)).toMatchObject({ agreedBy: 'Pat Person' });
});
