import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { aSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { opsOn } from './testing/run-ops.ts';

const database = ownDatabase(4, ['east', 'west']);
const ops = opsOn(() => database);
const [uid = ''] = uidsInEachBucket(4, 1);

test('a bucket is listed, moved, listed with its former copy, and that is dropped', async () => {
  const { supporterId } = await aSupporter(database.pool, { uid });
  expect((await ops('buckets', 'list')).said).toMatch(
    /^0 {2}east {2}1 supporters {2}\d+\.\d MB\n1 {2}east {2}0 supporters .*\n2 {2}west .*\n3 {2}west .*\n$/,
  );
  expect(await ops('buckets', 'move', '0', 'west')).toEqual({
    code: 0,
    said: 'Bucket 0 is on the server west. Its former copy is kept until: buckets drop-former 0\n',
  });
  const [moved] = JSON.parse((await ops('buckets', 'list', '--json')).said);
  expect(moved).toMatchObject({ bucket: 0, server: 'west', formerServer: 'east', size: { supporters: 1 } });
  expect((await ops('buckets', 'drop-former', '0')).said).toBe('The server east has no copy of bucket 0 any more.\n');
  expect([...(await database.pool.of(supporterId)`select uid from supporters`)]).toEqual([{ uid }]);
});

test.each([
  ['move 1 east', 'Bucket 1 is on the server east already.'],
  ['move 1 north', 'BUCKET_SERVERS names no server north.'],
  ['move 9 east', 'There is no bucket 9 that could be on another server.'],
  ['move one east', 'A bucket is a number, as `buckets list` shows it.'],
  ['drop-former 1', 'There is no former copy of bucket 1.'],
])('buckets %s is refused in a sentence', async (words, because) => {
  expect(await ops('buckets', ...words.split(' '))).toEqual({ code: 1, said: `${because}\n` });
});
