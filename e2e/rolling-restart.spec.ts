import { expect, test } from '@playwright/test';
import { connect } from '@sparechange/server/db/connect.ts';
import { startEmbedded, withoutFsync } from '@sparechange/server/db/embedded.ts';
import { type Member, manyProcesses } from './many-processes.ts';
import { aPlace } from './product.ts';
import { expectAllRecorded, keepBuying, keepCalling } from './steady-load.ts';

const members: Member[] = [{ role: 'api' }, { role: 'api' }, { role: 'worker' }, { role: 'worker' }];

test('each process is replaced in turn without a failed call or a lost job', async () => {
  await using cleanup = new AsyncDisposableStack();
  const database = await startEmbedded((await aPlace()).dataDir, withoutFsync);
  cleanup.defer(database.release);
  const db = connect(database.ownerUrl, { max: 1 });
  cleanup.defer(() => db.end());
  const product = await manyProcesses(database, members);
  cleanup.defer(product.stop);
  await Promise.all(members.map((_, at) => product.start(at)));
  const load = await keepCalling(product.home, db);
  const buying = keepBuying(product.bank);

  for (const at of members.keys()) await product.restart(at);
  const bought = await buying.finish();
  const { calls, failures } = await load.finish();

  expect(failures).toEqual([]);
  expect(calls).toBeGreaterThan(100);
  await expectAllRecorded(db, bought);
});
