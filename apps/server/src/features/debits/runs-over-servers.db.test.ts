import { expect, test } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { lockAgainstPlanning } from '#features/ledger/planning-lock.ts';
import { recordRoundUps } from '#features/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aClub, aPurchase, uidsInEachBucket } from '#testing/makers.ts';
import { runDebits } from './run-debits.ts';

const buckets = 4;
const api = ownApp({}, {}, buckets, ['east', 'west']);

test('a server that is slow to plan keeps no other one waiting', async () => {
  api.clock.setTo('2026-11-24T22:00:00Z');
  const clubId = await aClub(api.db);
  for (const uid of uidsInEachBucket(buckets, 1)) {
    const person = await api.supporter({ uid, clubId });
    await recordRoundUps(api.db.of(person.supporterId), api.clock.now(), [aPurchase(person)]);
  }
  const [slow, ...others] = api.db.inBuckets() as [Pool, ...Pool[]];
  const serverOf = ({ scope }: Pool) => api.db.servers.holding(scope);
  const elsewhere = others.filter((bucket) => serverOf(bucket) !== serverOf(slow));
  expect(elsewhere).toHaveLength(2);
  let run: Promise<unknown> | undefined;
  await slow.begin(async (tx) => {
    await lockAgainstPlanning(tx);
    run = runDebits(api);
    for (const bucket of elsewhere)
      await expect.poll(() => bucket`select state from debits`).toMatchObject([{ state: 'planned' }]);
  });
  expect(await run).toMatchObject({ planned: 4, submitted: 4 });
});
