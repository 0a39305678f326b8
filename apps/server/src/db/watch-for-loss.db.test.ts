import { expect, test } from 'vitest';
import { aDatabase } from '#testing/database.ts';
import { watchForLoss } from './watch-for-loss.ts';

test('a database that goes away is noticed, one that is there is not', async () => {
  const [staying, going] = [await aDatabase(), await aDatabase()];
  const [calm, alarmed] = [watchForLoss(staying.url, 20), watchForLoss(going.url, 20)];
  await going.drop();
  await expect(Promise.race([calm.lost, alarmed.lost])).rejects.toThrow('The database has gone.');
  calm.stop();
  await staying.drop();
});
