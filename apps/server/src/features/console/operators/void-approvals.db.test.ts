import * as contract from '@sparechange/contract/console';
import { cents, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { resumeTenant, suspendTenant } from '#features/collections/debits/suspended-tenants.ts';
import { createKey, revokeKey, rotateKey } from '#features/disbursements/programs/keys.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { whileRefused } from '#testing/disturbed-buckets.ts';
import { forgetEverything } from '#testing/makers.ts';

const api = ownApp();
const ben = { kind: 'operating_system', id: 'ben' } as const;
let olive: TestOperator;
let oscar: TestOperator;
beforeEach(async () => {
  await forgetEverything(api.db);
  [olive, oscar] = [await anOperator(api.db), await anOperator(api.db)];
});

const actor = ({ id }: TestOperator) => ({ kind: 'console' as const, id });
const call = <Op extends contract.ConsoleOperation>(operation: Op, input: unknown, person = olive) =>
  callConsole(api.app, operation, input, person);
const agree = async (id: string, person = oscar) => {
  const { status, body } = await call(contract.agreeToApproval, { id }, person);
  return [status, body.error?.message];
};
const idOf = (tried: { approval: { id: string } } | object): string => {
  if (!('approval' in tried)) throw new Error('One person was enough.');
  return tried.approval.id;
};
const stateOf = async (id: string) =>
  (await api.db<{ state: string; failure: string | null }[]>`select state, failure from approvals where id = ${id}`)[0];

const aKey = () => createKey(api, { name: 'a site', scopes: ['write_clubs'], days: 30 }, ben);
const rotation = async (id: string, overlapHours = 24) =>
  (await call(contract.rotateApiKey, { id, days: 30, overlapHours })).body.asked?.id ?? '';
const becomes = async (personId: string, ...roles: contract.Role[]) =>
  idOf(await api.acts.roles(actor(olive), { personId, roles, clubIds: [] }, `Make them ${roles}`));

test("repeating another person's request names them, and is possible once theirs was withdrawn", async () => {
  const { id } = await aKey();
  const request = { id, days: 30, overlapHours: 24 };
  const first = (await call(contract.rotateApiKey, request)).body.asked;
  expect((await call(contract.rotateApiKey, request)).body.asked).toEqual(first);
  const { status, body } = await call(contract.rotateApiKey, request, oscar);
  expect(status).toBe(409);
  expect(body.error.message).toMatch(
    /^Pat Person asked for exactly this on \w{3} \d.*\. You can agree to it under Today\.$/,
  );
  expect(await api.db`select from approvals`).toHaveLength(1);
  await call(contract.refuseApproval, { id: first?.id });
  const again = (await call(contract.rotateApiKey, request, oscar)).body.asked;
  expect(await agree(again?.id ?? '', oscar)).toEqual([403, 'You asked for this; another person has to agree.']);
  expect(await agree(again?.id ?? '', olive)).toEqual([200, undefined]);
});

test('revoking a key refuses requests about it, and none about another', async () => {
  const [key, other] = [await aKey(), await aKey()];
  const [asked, kept] = [await rotation(key.id), await rotation(other.id)];
  expect((await call(contract.revokeApiKey, { id: key.id })).status).toBe(200);
  expect(await stateOf(asked)).toEqual({ state: 'refused', failure: 'The key was revoked.' });
  expect(await agree(asked)).toEqual([409, 'The key was revoked.']);
  expect((await call(contract.rotateApiKey, { id: key.id, days: 30, overlapHours: 0 })).status).toBe(404);
  expect(await agree(kept)).toEqual([200, undefined]);
});

test('a key is not rotated twice by earlier requests, even if both are agreed to concurrently', async () => {
  const { id } = await aKey();
  const [one, other] = [await rotation(id), await rotation(id, 48)];
  const statuses = (await Promise.all([agree(one), agree(other)])).map(([status]) => status);
  expect(statuses.toSorted()).toEqual([200, 409]);
  const states = [await stateOf(one), await stateOf(other)];
  expect(states).toContainEqual({ state: 'done', failure: null });
  expect(states).toContainEqual({ state: 'refused', failure: 'The key has since been given another secret.' });
  expect(await api.db`select from audit_log where action = 'api key rotated'`).toHaveLength(1);
});

test('a revocation during an agreed act refuses it with the reason', async () => {
  const { id } = await aKey();
  const asked = await rotation(id);
  await whileRefused(api.db, 'update on approvals', "new.state = 'done'", async () => {
    await expect(api.acts.agree(ben, asked)).rejects.toThrow('refused');
  });
  await revokeKey(api, id, ben);
  expect(await stateOf(asked)).toEqual({ state: 'refused', failure: 'The key was revoked.' });
  const expired = await aKey();
  const late = await rotation(expired.id);
  await api.db`update api_keys set expires_at = ${api.clock.now()} where id = ${expired.id}`;
  expect(await agree(late)).toEqual([409, `A valid key ${expired.id} was not found.`]);
  expect(await stateOf(late)).toMatchObject({ state: 'refused' });
  await expect(rotateKey(api, { id: expired.id, days: 1, overlapHours: 0 }, ben)).rejects.toThrow('was not found');
});

test('changed roles refuse earlier requests for others, even if they are the ones requested', async () => {
  const fay = await anOperator(api.db, { roles: ['viewer'] });
  const because = 'Their roles or clubs have since been changed.';
  const other = await anOperator(api.db, { roles: ['viewer'] });
  const [one, same, kept] = [
    await becomes(fay.id, 'owner'),
    await becomes(fay.id, 'finance'),
    await becomes(other.id, 'owner'),
  ];
  await call(contract.setRoles, { personId: fay.id, roles: ['viewer'] });
  expect(await stateOf(one)).toMatchObject({ state: 'asked' });
  expect(await agree(same)).toEqual([200, undefined]);
  expect(await agree(one)).toEqual([409, because]);
  const third = await becomes(fay.id, 'finance', 'owner');
  expect((await call(contract.setRoles, { personId: fay.id, roles: ['support'] })).status).toBe(200);
  expect(await agree(third)).toEqual([409, because]);
  expect(await stateOf(kept)).toMatchObject({ state: 'asked' });
  const fourth = await becomes(fay.id, 'finance');
  await api.db`update operators set status = 'removed' where id = ${fay.id}`; // as a removal during the request does
  expect(await agree(fourth)).toEqual([409, 'The person was not found.']);
  expect(await stateOf(fourth)).toMatchObject({ state: 'refused' });
});

test('nobody can agree to their own roles, even if they have since gained the right to decide', async () => {
  const fay = await anOperator(api.db, { roles: ['viewer'] });
  const asked = await becomes(fay.id, 'owner', 'finance');
  await api.db`update operators set roles = '{owner}' where id = ${fay.id}`;
  const own = [403, 'These roles would be yours; another person has to agree.'];
  expect(await agree(asked, fay)).toEqual(own);
  expect(await stateOf(asked)).toMatchObject({ state: 'asked' });
  await call(contract.choosePeopleNeeded, { people: 2 });
  await api.db`update approval_rule set people = 1`;
  expect(await agree(asked, fay)).toEqual(own);
  expect(await agree(asked)).toEqual([200, undefined]);
});

test('resuming a tenant refuses the other requests to resume it; a later suspension stays', async () => {
  await suspendTenant({ ...api, actor: { kind: 'operating_system', id: 'robin' } }, 'default', 'a complaint');
  const suspension = { tenant: 'default', since: api.clock.now() };
  const asking = async (because: string) =>
    idOf(await api.acts.resumption(actor(olive), { ...suspension, because }, 'Debits are resumed'));
  const [one, other, late] = [await asking('one'), await asking('other'), await asking('late')];
  expect(await agree(one)).toEqual([200, undefined]);
  expect(await agree(other)).toEqual([409, 'The debits have since been resumed.']);
  await suspendTenant({ ...api, actor: { kind: 'operating_system', id: 'robin' } }, 'default', 'fraud');
  await resumeTenant(api.db, 'default');
  await api.db`update approvals set state = 'asked', failure = null where id = ${late}`;
  const over = 'The suspension that this was to end is over already; nothing was done.';
  expect(await agree(late)).toEqual([409, over]);
  expect(await stateOf(late)).toEqual({ state: 'refused', failure: over });
});

test('choosing two people refuses the request for one, which can no longer be agreed to', async () => {
  const asked = (await call(contract.choosePeopleNeeded, { people: 1 })).body.asked?.id ?? '';
  expect((await call(contract.choosePeopleNeeded, { people: 2 }, oscar)).status).toBe(200);
  expect(await agree(asked)).toEqual([409, 'Two people have since been chosen.']);
  const again = (await call(contract.choosePeopleNeeded, { people: 1 })).body.asked?.id ?? '';
  expect(await agree(again)).toEqual([200, undefined]);
  expect(await stateOf(again)).toEqual({ state: 'done', failure: null });
});

test('a run that was made refuses the other requests for it, and not those for another day', async () => {
  const forced = async (day: string, isAfterRestore = false) => {
    const args = { date: isoDate(day), force: true, confirmed: null, isAfterRestore, upTo: null };
    return idOf(await api.acts.debitRun(actor(olive), args, `Run of ${day}`));
  };
  const [one, other, next] = [await forced('2026-11-25'), await forced('2026-11-25', true), await forced('2026-11-27')];
  expect(await agree(one)).toEqual([200, undefined]);
  expect(await agree(other)).toEqual([409, 'The run has since been made.']);
  expect([await stateOf(one), await stateOf(next)]).toMatchObject([{ state: 'done' }, { state: 'asked' }]);
});

test('confirming a day without a run ends its request', async () => {
  const args = { date: isoDate('2026-11-28'), force: false, confirmed: cents(1), isAfterRestore: false };
  const asked = idOf(await api.acts.debitRun(actor(olive), args, 'Run of a Saturday'));
  expect(await agree(asked)).toEqual([409, expect.stringContaining('is not a debit day')]);
  expect(await stateOf(asked)).toMatchObject({ state: 'refused' });
});
