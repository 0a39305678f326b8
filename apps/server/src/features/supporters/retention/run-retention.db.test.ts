import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { whileTableFails } from '#testing/disturbed-buckets.ts';
import { aClock } from '#testing/makers.ts';
import { runRetention } from './delete-outdated.ts';
import { makePartitions } from './make-partitions.ts';

const database = ownDatabase();
const retention = { mails: 800, notifications: 90, timetableRuns: 400 };
const run = () => runRetention({ db: database.pool, clock: aClock(), retention });

test('a failed deletion does not prevent a new partition, and is reported', async () => {
  await whileTableFails(database.pool, 'notifications', async () => {
    await expect(run()).rejects.toThrow('relation "notifications" does not exist');
  });
  expect(await makePartitions({ db: database.pool })).toEqual({ made: 0, busy: 0 }); // all exist
  expect(await run()).toMatchObject({ notifications: 0, partitions: { made: 0, busy: 0 } });
});
