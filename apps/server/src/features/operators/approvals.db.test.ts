import { randomUUID } from 'node:crypto';
import * as contract from '@sparechange/contract/console';
import { beforeEach, expect, test } from 'vitest';
import { listSuspendedTenants, suspendTenant } from '#features/debits/suspended-tenants.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { forgetEverything } from '#testing/makers.ts';

const api = ownApp();
beforeEach(() => forgetEverything(api.db));

const actor = ({ id }: TestOperator) => ({ kind: 'console' as const, id });
const list = async (person: TestOperator) => (await callConsole(api.app, contract.listApprovals, {}, person)).body;

async function asked(by: TestOperator): Promise<string> {
  await suspendTenant(api.db, api.clock, 'default', 'a complaint');
  const answer = await api.acts.resumption(
    actor(by),
    { tenant: 'default', since: api.clock.now() },
    'Debits of default are resumed',
  );
  return 'approval' in answer ? answer.approval.id : '';
}

test('one person asks, another agrees, and it is done; both are in the audit log', async () => {
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
  expect(people).toEqual(['Pat Person', 'Pat Person']);
});

test('what was refused is not done, also by the one who asked', async () => {
  const finance = await anOperator(api.db, { roles: ['finance'] });
  const id = await asked(finance);
  expect((await callConsole(api.app, contract.refuseApproval, { id }, finance)).status).toBe(200);
  expect((await callConsole(api.app, contract.agreeToApproval, { id }, await anOperator(api.db))).status).toBe(409);
  expect(await listSuspendedTenants(api.db)).toHaveLength(1);
});

test('keys and rules are for owners to decide on, and are not shown to finance', async () => {
  const owner = await anOperator(api.db);
  const request = { name: 'a club’s site', scopes: ['write_clubs' as const], days: 30 };
  const answer = await api.acts.apiKey(actor(owner), request, 'A key that writes');
  const id = 'approval' in answer ? answer.approval.id : '';
  const finance = await anOperator(api.db, { roles: ['finance'] });
  expect(await list(finance)).toEqual({ approvals: [] });
  for (const operation of [contract.agreeToApproval, contract.refuseApproval]) {
    const { status, body } = await callConsole(api.app, operation, { id }, finance);
    expect([status, body.error.message]).toEqual([403, 'An owner decides on this.']);
    expect((await callConsole(api.app, operation, { id: randomUUID() }, finance)).status).toBe(404);
  }
  const { body } = await callConsole(api.app, contract.agreeToApproval, { id }, await anOperator(api.db));
  expect(body.shownOnce).toMatch(/\w{20}/);
});
