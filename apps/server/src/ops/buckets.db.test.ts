import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { aSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { opsOn } from './testing/run-ops.ts';

const database = ownDatabase(4, { isJoined: false });
const ops = opsOn(() => database);
const [uid = ''] = uidsInEachBucket(4, 1);

test('buckets on one server are listed with their supporters and sizes, and no node', async () => {
  await aSupporter(database.pool, { uid });
  expect((await ops('buckets', 'list')).said).toMatch(
    /^0 {2}1 supporters {2}\d+\.\d MB\n1 {2}0 supporters .*\n2 {2}0 supporters .*\n3 {2}0 supporters .*\n$/,
  );
  const [first] = JSON.parse((await ops('buckets', 'list', '--json')).said);
  expect(first).toEqual({ bucket: 0, node: null, size: { supporters: 1, bytes: expect.any(Number) } });
});

const onOne = 'All buckets are on one server of PostgreSQL; only a Citus cluster moves them between its nodes.';

test.each([
  ['move 1 east', onOne],
  ['rebalance', onOne],
  ['move one east', 'A bucket is a number, as `buckets list` shows it.'],
])('buckets %s is refused in a sentence', async (words, because) => {
  expect(await ops('buckets', ...words.split(' '))).toEqual({ code: 1, said: `${because}\n` });
});
