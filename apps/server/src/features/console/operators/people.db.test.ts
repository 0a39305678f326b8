import * as contract from '@sparechange/contract/console';
import { beforeAll, expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { aClub, forgetEverything } from '#testing/makers.ts';
import { addOperator, recoverOperator, removeOperator, setRoles } from './manage-operators.ts';

const by = { kind: 'operating_system', id: 'alice' } as const;
const api = ownApp({ edge: { rateLimitFactor: 0 } });
let owner: TestOperator;
beforeAll(async () => {
  owner = await anOperator(api.db, { email: 'olive@example.com' });
});

const call = <Op extends contract.ConsoleOperation>(operation: Op, input: unknown) =>
  callConsole(api.app, operation, input, owner);
const isSignedIn = async ({ cookie }: TestOperator) =>
  (await callConsole(api.app, contract.retrieveSession, {}, { cookie })).body.operator !== null;

test('people are listed a page at a time, by search, status and role', async () => {
  for (const name of ['ann', 'ben', 'cat'])
    await call(contract.invitePerson, { email: `${name}@team.example`, name, roles: ['support'] });
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const query = { limit: 2, search: 'team.example', ...(after ? { after } : {}) };
    const { rows, next } = (await call(contract.listPeople, query)).body;
    seen.push(...rows.map(({ email }) => email));
    after = next ?? undefined;
  } while (after);
  expect(seen).toEqual(['ann@team.example', 'ben@team.example', 'cat@team.example']);
  const ofStatus = async (query: object) => (await call(contract.listPeople, query)).body.rows.length;
  expect(await ofStatus({ search: 'team.example', status: 'active' })).toBe(0);
  expect(await ofStatus({ search: 'team.example', status: 'invited', role: 'support' })).toBe(3);
  expect(await ofStatus({ search: 'team.example', role: 'finance' })).toBe(0);
});

test('an invitation is queued without its link in the email, and another replaces it', async () => {
  const input = { email: 'dan@team.example', name: 'Dan', roles: ['viewer'] };
  const { body } = await call(contract.invitePerson, input);
  await call(contract.inviteAgain, { personId: body.id });
  const links = await api.db`select id from operator_links where operator_id = ${body.id}`;
  expect(links).toHaveLength(1);
  const mails = await api.db`select facts from mails where facts ->> 'linkId' = ${String(links[0]?.id)}`;
  expect(mails).toEqual([{ facts: { kind: 'operator_link', linkId: links[0]?.id, operatorId: body.id } }]);
  expect(api.asked).toContain('send mails');
  await api.db`delete from operator_links`; // state once they were opened
  const listed = await call(contract.listMails, { about: 'operator_link' });
  expect(listed.body.rows[0]).toMatchObject({ recipient: 'operator', address: input.email });
});

test('a person who is active or invited is not invited again, and keeps name and roles', async () => {
  const { email } = await anOperator(api.db);
  const fay = { email: 'fay@team.example', name: 'Fay Finance', roles: ['viewer'] };
  await call(contract.invitePerson, fay);
  for (const [known, because] of [
    [email, 'is already here'],
    [fay.email.toUpperCase(), 'has already been invited'],
  ] as const) {
    const again = await call(contract.invitePerson, { email: known, name: 'Fay Again', roles: ['support'] });
    expect([again.status, again.body.error.message]).toEqual([409, expect.stringContaining(because)]);
  }
  expect((await call(contract.listPeople, { search: fay.email })).body.rows).toMatchObject([
    { name: 'Fay Finance', roles: ['viewer'] },
  ]);
});

test('a treasurer has existing clubs, and nobody else has one', async () => {
  const clubId = await aClub(api.db);
  const invite = async (roles: string[], clubIds: string[]) =>
    (await call(contract.invitePerson, { email: `${crypto.randomUUID()}@x.example`, name: 'T', roles, clubIds }))
      .status;
  expect(await invite(['treasurer'], [])).toBe(400);
  expect(await invite(['viewer'], [clubId])).toBe(400);
  expect(await invite(['treasurer'], [crypto.randomUUID()])).toBe(400);
  expect(await invite(['treasurer'], [clubId])).toBe(200);
});

test('new roles, a recovery and a removal end the sessions', async () => {
  for (const [operation, input] of [
    [contract.setRoles, { roles: ['viewer'] }],
    [contract.recoverPerson, {}],
    [contract.removePerson, {}],
  ] as const) {
    const person = await anOperator(api.db, { roles: ['finance'] });
    expect(await isSignedIn(person)).toBe(true);
    expect((await call(operation, { personId: person.id, ...input })).status).toBe(200);
    expect([operation.name, await isSignedIn(person)]).toEqual([operation.name, false]);
  }
});

test('a role of owner or finance counts once a second person has agreed, and the invitation is emailed then', async () => {
  const linksOf = (id: string) => api.db`select from operator_links where operator_id = ${id}`;
  const rolesOf = async (id: string) =>
    (await api.db<{ roles: string[] }[]>`select roles from operators where id = ${id}`)[0]?.roles;
  const approve = async (id: string) => {
    const [asked] = await api.db<{ id: string }[]>`
      select id from approvals where arguments ->> 'personId' = ${id} and state = 'asked'`;
    await expect(api.acts.agree({ kind: 'console', id: owner.id }, asked?.id ?? '')).rejects.toThrow('another person');
    await api.acts.agree({ kind: 'operating_system', id: 'ben' }, asked?.id ?? '');
  };
  const input = { email: 'eve@team.example', name: 'Eve', roles: ['finance'] };
  const { body: eve } = await call(contract.invitePerson, input);
  expect(eve.awaitsApproval).toBe(true);
  expect([await rolesOf(eve.id), await linksOf(eve.id)]).toEqual([[], []]);
  expect((await call(contract.inviteAgain, { personId: eve.id })).status).toBe(409);
  await approve(eve.id);
  expect(await rolesOf(eve.id)).toEqual(['finance']);
  expect(await linksOf(eve.id)).toHaveLength(1);

  const viewer = await anOperator(api.db, { roles: ['viewer'] });
  const more = { personId: viewer.id, roles: ['viewer', 'owner'] };
  expect((await call(contract.setRoles, more)).body).toEqual({ awaitsApproval: true });
  expect([await rolesOf(viewer.id), await isSignedIn(viewer)]).toEqual([['viewer'], true]);
  await approve(viewer.id);
  expect([await rolesOf(viewer.id), await isSignedIn(viewer)]).toEqual([['viewer', 'owner'], false]);
  expect((await call(contract.setRoles, { ...more, roles: ['viewer'] })).body).toEqual({ awaitsApproval: false });
});

test('a person whose role waits keeps the former roles and clubs, unless they were removed and invited again', async () => {
  const clubId = await aClub(api.db);
  const known = { email: 'flo@team.example', name: 'Flo' };
  const { body } = await call(contract.invitePerson, { ...known, roles: ['treasurer', 'viewer'], clubIds: [clubId] });
  const grants = async () => {
    const { rows } = (await call(contract.listPeople, { search: known.email })).body;
    return rows.map(({ roles, clubs }) => [roles, clubs.map(({ id }) => id)]);
  };
  const again = { ...known, roles: ['finance'] };
  const other = { personId: body.id, roles: again.roles };
  expect((await call(contract.setRoles, other)).body).toEqual({ awaitsApproval: true });
  expect(await grants()).toEqual([[['treasurer', 'viewer'], [clubId]]]);
  const [asked] = await api.db<{ id: string }[]>`select id from approvals where arguments ->> 'personId' = ${body.id}`;
  await api.acts.agree({ kind: 'operating_system', id: 'ben' }, asked?.id ?? '');
  expect(await grants()).toEqual([[['finance'], []]]);
  await call(contract.removePerson, { personId: body.id });
  expect((await call(contract.invitePerson, again)).body.awaitsApproval).toBe(true);
  expect(await grants()).toEqual([[[], []]]);
});

test('a waiting role is refused once its person is removed, even if they are invited again', async () => {
  const gus = { email: 'gus@team.example', name: 'Gus' };
  const { body } = await call(contract.invitePerson, { ...gus, roles: ['owner'] });
  const other = await call(contract.invitePerson, { email: 'hal@team.example', name: 'Hal', roles: ['finance'] });
  const requestFor = async (id: string) =>
    (
      await api.db<{ id: string; state: string }[]>`
      select id, state from approvals where arguments ->> 'personId' = ${id}`
    )[0];
  const waiting = (await requestFor(body.id))?.id ?? '';
  expect((await call(contract.removePerson, { personId: body.id })).status).toBe(200);
  await call(contract.invitePerson, { ...gus, roles: ['viewer'] });
  await expect(api.acts.agree({ kind: 'operating_system', id: 'ben' }, waiting)).rejects.toThrow(
    'The person was removed.',
  );
  expect((await call(contract.listPeople, { search: gus.email })).body.rows).toMatchObject([{ roles: ['viewer'] }]);
  expect((await requestFor(other.body.id))?.state).toBe('asked');
});

test('no roles can be requested for a removed or unknown person', async () => {
  const gone = await anOperator(api.db, { roles: ['viewer'] });
  await call(contract.removePerson, { personId: gone.id });
  for (const personId of [gone.id, crypto.randomUUID()]) {
    expect((await call(contract.setRoles, { personId, roles: ['owner'] })).status).toBe(404);
    expect(await api.db`select from approvals where arguments ->> 'personId' = ${personId}`).toEqual([]);
  }
});

test('roles and clubs that somebody else has changed are not replaced unseen', async () => {
  const [one, other] = [await aClub(api.db), await aClub(api.db)];
  const treasurer = await anOperator(api.db, { roles: ['treasurer'], clubIds: [one, other] });
  const seen = { roles: ['treasurer'], clubIds: [other, one] };
  const save = (input: object) => call(contract.setRoles, { personId: treasurer.id, seen, ...input });
  for (const time of ['first', 'again'])
    expect([time, (await save({ roles: ['treasurer'], clubIds: [one] })).status]).toEqual([time, 200]);
  const { status, body } = await save({ roles: ['treasurer', 'viewer'], clubIds: [one, other] });
  expect([status, body.error.message]).toEqual([409, expect.stringContaining('Somebody else has changed')]);
  const { rows } = (await call(contract.listPeople, { search: treasurer.email })).body;
  expect(rows).toMatchObject([{ roles: ['treasurer'], clubs: [{ id: one }] }]);

  const seenNow = { roles: ['treasurer'], clubIds: [one] };
  const asked = await save({ roles: ['treasurer', 'finance'], clubIds: [one], seen: seenNow });
  expect(asked.body).toEqual({ awaitsApproval: true });
  await save({ roles: ['viewer'], clubIds: [], seen: seenNow });
  const [waiting] = await api.db<{ id: string }[]>`
    select id from approvals where arguments ->> 'personId' = ${treasurer.id}`;
  await expect(api.acts.agree({ kind: 'operating_system', id: 'ben' }, waiting?.id ?? '')).rejects.toThrow(
    'Their roles or clubs have since been changed.',
  );
});

test('owners do it for each other, not for themselves', async () => {
  for (const [operation, input] of [
    [contract.setRoles, { roles: ['viewer'] }],
    [contract.recoverPerson, {}],
    [contract.removePerson, {}],
  ] as const)
    for (const personId of [owner.id, owner.id.toUpperCase()])
      expect((await call(operation, { personId, ...input })).status).toBe(403);
});

test('the audit log names the person acting and never an address', async () => {
  const { body } = await call(contract.listAuditEntries, { search: 'invitePerson', personId: owner.id });
  expect(body.rows[0]).toMatchObject({ by: 'Pat Person', action: 'console invitePerson', actor: 'operator' });
  expect(JSON.stringify(body.rows)).not.toContain('@');
  const first = (await call(contract.listAuditEntries, { limit: 1 })).body;
  const second = (await call(contract.listAuditEntries, { limit: 1, after: first.next })).body;
  expect(second.rows[0]?.id).not.toBe(first.rows[0]?.id);
  expect((await call(contract.listAuditEntries, { after: 'the end' })).status).toBe(400);
  expect((await call(contract.listAuditEntries, { to: '2020-01-01' })).body.rows).toEqual([]);
});

test('the audit log finds an id that an entry names', async () => {
  const person = await anOperator(api.db, { roles: ['viewer'] });
  await call(contract.recoverPerson, { personId: person.id });
  const found = async (search: string) =>
    (await call(contract.listAuditEntries, { search })).body.rows.map(({ action }) => action);
  expect(await found(person.id.toUpperCase())).toContain('console recoverPerson');
  expect(await found(crypto.randomUUID())).toEqual([]);
});

test("the audit log finds acts by a person's name or address, removed or not, and by their codes", async () => {
  const person = await anOperator(api.db);
  await api.db`update operators set name = 'Zuleika Dobson' where id = ${person.id}`;
  const other = await anOperator(api.db, { roles: ['viewer'] });
  await callConsole(api.app, contract.recoverPerson, { personId: other.id }, person);
  const found = async (filter: object) =>
    (await call(contract.listAuditEntries, filter)).body.rows.map(({ by, action }) => [by, action]);
  const own = ['Zuleika Dobson', 'console recoverPerson'];
  for (const search of ['zuleika', 'Dobson', person.email.toUpperCase()])
    expect(await found({ search })).toContainEqual(own);
  const byAct = { search: 'Recovered', acts: 'console recoverPerson,console signIn' };
  expect(await found(byAct)).toContainEqual(own);
  expect(await found({ search: 'Recovered' })).not.toContainEqual(own);
});

test('an invitation and a correction of the ledger name the person who made them', async () => {
  const { body } = await call(contract.invitePerson, { email: 'kim@team.example', name: 'Kim', roles: ['viewer'] });
  const fee = { id: crypto.randomUUID(), debit: 'fees', credit: 'operator_funds', cents: 100, reason: 'a fee' };
  expect((await call(contract.correctLedger, fee)).body).toEqual({ asked: null });
  for (const [action, search] of [
    ['invited to the console', body.id],
    ['corrected the ledger', fee.id],
  ] as const) {
    const { rows } = (await call(contract.listAuditEntries, { search })).body;
    expect(rows.find((entry) => entry.action === action)).toMatchObject({ by: 'Pat Person' });
    const own = (await call(contract.listAuditEntries, { search, personId: owner.id })).body.rows;
    expect(own.map((entry) => entry.action)).toContain(action);
  }
});

test('one owner stays, even when two remove each other concurrently', async () => {
  await forgetEverything(api.db);
  const [one, other] = [await anOperator(api.db), await anOperator(api.db)];
  const results = await Promise.allSettled([
    removeOperator({ ...api, by }, one.id),
    setRoles({ ...api, by }, other.id, { roles: ['viewer'], clubIds: [] }),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const [left] = await api.db<{ id: string }[]>`
    select id from operators where status = 'active' and 'owner' = any(roles)`;
  await expect(removeOperator({ ...api, by }, left?.id ?? '')).rejects.toThrow('only owner');
  await recoverOperator({ ...api, by }, left?.id ?? '');
});

test('of two first owners invited concurrently one is invited, and the other waits for a second person', async () => {
  for (let round = 0; round < 5; round += 1) {
    await forgetEverything(api.db);
    const people = ['one', 'two', 'three'].map((name) =>
      addOperator(api, { email: `${name}@team.example`, name, clubIds: [] }),
    );
    const ids = await Promise.all(people);
    const asked = await Promise.all(
      ids.map((personId) => api.acts.roles(by, { personId, roles: ['owner'], clubIds: [] }, 'Make them owner')),
    );
    expect(asked.filter((each) => 'approval' in each)).toHaveLength(2);
    const owners = await api.db`select from operators where 'owner' = any(roles)`;
    expect(owners).toHaveLength(1);
  }
});

test('the first owner is invited by one person; further owners and finance wait for a second, even before the first is active', async () => {
  await forgetEverything(api.db);
  const invite = async (email: string, roles: contract.Role[]) => {
    const id = await addOperator(api, { email, name: 'New', clubIds: [] });
    const asked = await api.acts.roles(by, { personId: id, roles, clubIds: [] }, `Make them ${roles}`);
    const [person] = await api.db<{ roles: contract.Role[]; status: string }[]>`
      select roles, status from operators where id = ${id}`;
    return { ...person, waits: 'approval' in asked };
  };
  expect(await invite('early@team.example', ['finance'])).toEqual({ roles: [], status: 'invited', waits: true });
  const first = { roles: ['owner'], status: 'invited', waits: false };
  for (const attempt of ['first', 'again'])
    expect([attempt, await invite('first@team.example', ['owner'])]).toEqual([attempt, first]);
  for (const roles of [['owner'], ['finance'], ['viewer', 'owner']] satisfies contract.Role[][])
    expect(await invite(`${roles}@team.example`, roles)).toEqual({ roles: [], status: 'invited', waits: true });
  expect(await invite('viewer@team.example', ['viewer'])).toMatchObject({ waits: false });

  await api.db`update operators set status = 'removed' where email = 'first@team.example'`;
  expect(await invite('next@team.example', ['owner'])).toMatchObject({ waits: false });
});
