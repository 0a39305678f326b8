import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Pool } from '#db/connect.ts';
import { migrate } from '#db/migrate.ts';
import { findSilentServers } from '#db/silent-servers.ts';
import { opsOn } from '#ops/testing/run-ops.ts';
import { type OwnDatabase, ownDatabase } from '#testing/database.ts';
import { aClock, aSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { aProxy, type TestProxy } from '#testing/proxy.ts';
import { watchServers } from './watch-servers.ts';

const database = ownDatabase(4, ['east', 'west']);
let west: TestProxy;
let db: Pool;
const throughProxy = (): OwnDatabase => ({ ...database, url: database.url, pool: db, servers: serversOf() });
const serversOf = () => ({ ...database.servers, west: west.url });

beforeAll(async () => {
  west = await aProxy(database.servers.west ?? '');
  db = connect(database.url, { max: 5, buckets: 4, servers: serversOf() });
  await migrate(db);
  for (const uid of uidsInEachBucket(4, 1)) await aSupporter(database.pool, { uid });
});
afterAll(async () => {
  await db.end({ timeout: 1 });
  west.close();
});
const ops = opsOn(throughProxy);

const clock = aClock('2026-11-24T22:00:00Z');
const watchAt = async (instant: string) => {
  clock.setTo(instant);
  await watchServers({ db, clock, log: pino({ level: 'silent' }) }, await findSilentServers(db));
  const alarms = await db<{ name: string; sentence: string }[]>`select name, sentence from alarms order by raised_at`;
  return alarms.map(({ name, sentence }) => `${name}: ${sentence}`);
};
const silent =
  'bucket_server_silent: The database server west of BUCKET_SERVERS has not answered since Wed 25 Nov 2026 09:00:00 Sydney time: nothing is done for its supporters, and debit runs, closing days and remittances wait for it.';
const back =
  'bucket_server_back: The database server west, silent since Wed 25 Nov 2026 09:00:00, answered again at Wed 25 Nov 2026 09:08:00 Sydney time. What waited for it goes on by itself.';

test('a server of buckets is alarmed once after five minutes of silence, and once when it is back', async () => {
  west.cut();
  expect(await watchAt('2026-11-24T22:00:00Z')).toEqual([]);
  expect(await watchAt('2026-11-24T22:04:00Z')).toEqual([]);
  for (const minute of ['05', '06']) expect(await watchAt(`2026-11-24T22:${minute}:00Z`)).toEqual([silent]);
  const { code, said } = await ops('status');
  expect(said).toContain('NO ANSWER     of the server west since 2026-11-24T22:00:00.000Z: without its supporters');
  expect(said).toContain('supporters    2');
  expect(code).toBe(0);
  west.mend();
  for (const minute of ['08', '09']) expect(await watchAt(`2026-11-24T22:${minute}:00Z`)).toEqual([silent, back]);
  expect((await ops('status')).said).toMatch(/supporters {4}4\n(?!.*NO ANSWER)/s);
});

test('a short silence is not alarmed', async () => {
  west.cut();
  expect(await watchAt('2026-11-25T22:00:00Z')).toHaveLength(2);
  west.mend();
  expect(await watchAt('2026-11-25T22:06:00Z')).toHaveLength(2);
});
