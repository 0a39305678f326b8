import * as contract from '@sparechange/contract/console';
import { expect, test } from 'vitest';
import { makeAuditKeys } from '#audit/audit-keys.ts';
import { operatorsChain } from '#audit/audit-log.ts';
import { checkpointAndKeep } from '#features/accounting/bookkeeping/watch-audit-log.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { fakeCheckpointFile } from '#testing/fake-checkpoint-file.ts';
import { testKey } from '#testing/makers.ts';
import { setGuardsAside } from '#testing/set-guards-aside.ts';

const api = ownApp();

test('an owner sees the last checkpoint of the audit log, and when an alteration was found', async () => {
  const owner = await anOperator(api.db);
  const state = async () => (await callConsole(api.app, contract.retrieveAuditState, {}, owner)).body;
  const deps = { ...api, auditKeys: makeAuditKeys([testKey]), checkpointFile: fakeCheckpointFile() };
  const act = () => callConsole(api.app, contract.retryFailedJobs, { jobId: crypto.randomUUID() }, owner);
  await act();
  expect(await state()).toEqual({ checkpoint: null, changedAt: null });

  for (const number of [1, 2]) {
    api.clock.setTo(`2026-11-25T0${number}:00:00Z`);
    await act();
    await checkpointAndKeep(deps, api.db);
    const [log] = await api.db<{ entries: number }[]>`select count(*)::int as entries from audit_log`;
    const checkpoint = { number, madeAt: api.clock.now().toISOString(), entries: log?.entries };
    expect(await state()).toEqual({ checkpoint, changedAt: null });
  }

  api.clock.setTo('2026-11-25T03:00:00Z');
  await api.db.begin(async (tx) => {
    await setGuardsAside(tx);
    await tx`update audit_heads set seq = seq - 1 where supporter_id = ${operatorsChain}`;
  });
  await checkpointAndKeep(deps, api.db);
  expect(await state()).toMatchObject({ changedAt: '2026-11-25T03:00:00.000Z' });
});
