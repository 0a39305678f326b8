import { rm } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { connect } from '@sparechange/server/db/connect.ts';
import { startEmbedded, withoutFsync } from '@sparechange/server/db/embedded.ts';
import { manyProcesses } from './many-processes.ts';
import { aPlace } from './product.ts';
import { expectAllRecorded, keepBuying, keepCalling } from './steady-load.ts';
import { versionBefore } from './version-before.ts';

const supporters = 6;

test('the version before serves, records and debits beside this one, on the tables of this one', async () => {
  const before = await versionBefore();
  test.skip('whyNot' in before, 'whyNot' in before ? before.whyNot : '');
  if ('whyNot' in before) return;
  const { checkout, commit } = before;
  test.info().annotations.push({ type: 'version before', description: commit });
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(checkout, { recursive: true }));
  const database = await startEmbedded((await aPlace()).dataDir, withoutFsync);
  cleanup.defer(database.release);
  const db = connect(database.ownerUrl, { max: 1 });
  cleanup.defer(() => db.end());
  const product = await manyProcesses(database, [
    { role: 'api', checkout },
    { role: 'worker', checkout },
    { role: 'api' },
    { role: 'worker' },
  ]);
  cleanup.defer(product.stop);
  const [opsBefore, ops] = [product.opsOf(checkout), product.opsOf()];

  for (const at of [0, 1]) await product.start(at);
  const load = await keepCalling(product.home, db);
  const buying = keepBuying(product.bank);
  for (const at of [2, 3]) await product.start(at);

  // Each version debits supporters that the other has not, as far as they have bought something this week. The version
  // before restarts and settles those of both.
  const countDebited = async () => {
    const [debited] = await db<{ people: number }[]>`select count(distinct supporter_id)::int as people from debits`;
    return debited?.people ?? 0;
  };
  await ops('sandbox', 'crowd', '--supporters', String(supporters));
  await opsBefore('debit-run', '--force');
  const byBefore = await countDebited();
  await ops('sandbox', 'crowd', '--supporters', String(2 * supporters));
  await ops('debit-run', '--force');
  const byBoth = await countDebited();
  expect(byBefore).toBeGreaterThan(0);
  expect(byBoth).toBeGreaterThan(byBefore);
  for (const at of [0, 1]) await product.restart(at);
  const bought = await buying.finish();
  const { calls, failures } = await load.finish();
  expect(failures).toEqual([]);
  expect(calls).toBeGreaterThan(100);
  await expectAllRecorded(db, bought);

  await ops('advance', '--days', '8');
  await opsBefore('settle');
  for (const each of [opsBefore, ops]) expect(await each('audit')).toMatchObject({ violations: [] });
  const [cleared] = await db<{ people: number }[]>`
    select count(distinct supporter_id)::int as people from debits where state = 'cleared'`;
  expect(cleared?.people).toBeGreaterThanOrEqual(byBoth);
  expect(product.errors()).toEqual([]);
});
