import * as contract from '@sparechange/contract/console';
import { expect, test } from 'vitest';
import { appendToAuditLog } from '#audit/audit-log.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { setGuardsAside } from '#testing/set-guards-aside.ts';

const api = ownApp();

const check = async (owner: TestOperator) => (await callConsole(api.app, contract.verifyAuditLog, {}, owner)).body;
const state = async (owner: TestOperator) => (await callConsole(api.app, contract.retrieveAuditState, {}, owner)).body;

test("an owner's check of the log makes a checkpoint each time, and finds alterations", async () => {
  const owner = await anOperator(api.db);
  const { supporterId } = await api.supporter();
  for (const action of ['first', 'second'])
    await appendToAuditLog(api.db.of(supporterId), { supporterId, at: api.clock.now(), actor: 'supporter', action });

  const first = await check(owner);
  expect(first.outcome).toMatchObject({ found: 0, first: [] });
  const before = await state(owner);
  expect((await check(owner)).outcome).toEqual({ found: 0, first: [], entries: (first.outcome?.entries ?? 0) + 1 });
  const after = await state(owner);
  expect(after.checkpoint?.number).toBe((before.checkpoint?.number ?? 0) + 1);
  expect(after.changedAt).toBeNull();

  await api.db.of(supporterId).begin(async (tx) => {
    await setGuardsAside(tx);
    await tx`update audit_log set action = 'another' where supporter_id = ${supporterId} and action = 'first'`;
  });
  const { outcome } = await check(owner);
  expect(outcome).toMatchObject({ found: 1, first: [expect.stringContaining(`of ${supporterId} was changed`)] });
  expect((await state(owner)).changedAt).not.toBeNull();
});

test('at most five findings are shown, with the number of all', async () => {
  const owner = await anOperator(api.db);
  const ids: string[] = [];
  for (let place = 0; place < 6; place += 1) {
    const { supporterId } = await api.supporter();
    await appendToAuditLog(api.db.of(supporterId), { supporterId, at: api.clock.now(), actor: 'x', action: 'told' });
    ids.push(supporterId);
  }
  await check(owner);
  for (const id of ids)
    await api.db.of(id).begin(async (tx) => {
      await setGuardsAside(tx);
      await tx`delete from audit_heads where supporter_id = ${id}`;
    });
  const { outcome } = await check(owner);
  expect(outcome?.found).toBeGreaterThanOrEqual(6);
  expect(outcome?.first).toHaveLength(5);
});
