import pino from 'pino';
import { beforeAll, expect, test } from 'vitest';
import { findSilentNodes } from '#db/silent-nodes.ts';
import { aCluster, type TestCluster } from '#testing/citus-stand-in.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClock } from '#testing/makers.ts';
import { watchNodes } from './watch-nodes.ts';

const database = ownDatabase(4, { isJoined: false });
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await aCluster(database.pool);
});

const clock = aClock('2026-11-24T22:00:00Z');
const watchAt = async (instant: string) => {
  const db = database.pool;
  clock.setTo(instant);
  await watchNodes({ db, clock, log: pino({ level: 'silent' }) }, await findSilentNodes(db));
  const alarms = await db<{ name: string; sentence: string }[]>`select name, sentence from alarms order by raised_at`;
  return alarms.map(({ name, sentence }) => `${name}: ${sentence}`);
};
const silent =
  'bucket_server_silent: The database node west:5433 of the Citus cluster has not answered since Wed 25 Nov 2026 09:00:00 Sydney time: nothing is done for its supporters, and debit runs, closing days and remittances wait for it.';
const back =
  'bucket_server_back: The database node west:5433, silent since Wed 25 Nov 2026 09:00:00, answered again at Wed 25 Nov 2026 09:08:00 Sydney time. Work that was waiting for it continues automatically.';

test('a silent node raises one alarm after five minutes, and another when it is back', async () => {
  cluster.cut('west:5433');
  expect(await watchAt('2026-11-24T22:00:00Z')).toEqual([]);
  expect(await watchAt('2026-11-24T22:04:00Z')).toEqual([]);
  for (const minute of ['05', '06']) expect(await watchAt(`2026-11-24T22:${minute}:00Z`)).toEqual([silent]);
  cluster.mend();
  for (const minute of ['08', '09']) expect(await watchAt(`2026-11-24T22:${minute}:00Z`)).toEqual([silent, back]);
});

test('a short silence raises no alarm', async () => {
  cluster.cut('west:5433');
  expect(await watchAt('2026-11-25T22:00:00Z')).toHaveLength(2);
  cluster.mend();
  expect(await watchAt('2026-11-25T22:06:00Z')).toHaveLength(2);
});
