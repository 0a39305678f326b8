import { beforeAll, expect, test, vi } from 'vitest';
import { silence, standInForCitus, takeCalls } from '#testing/citus-stand-in.ts';
import { ownDatabase } from '#testing/database.ts';
import { aSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { opsOn } from './testing/run-ops.ts';

const database = ownDatabase(2, { isJoined: false });
const ops = opsOn(() => database);

beforeAll(async () => {
  vi.stubEnv('DATABASE_ENGINE', 'citus');
  await standInForCitus(database.pool);
});

test('buckets are placed by the first command, listed, moved and spread over the nodes of a cluster', async () => {
  const listed = await ops('buckets', 'list');
  expect(listed.said).toMatch(/^0 {2}east:5432 {2}0 supporters {2}\d+\.\d MB\n1 {2}west:5433 {2}0 supporters .*\n$/);
  const [first] = JSON.parse((await ops('buckets', 'list', '--json')).said);
  expect(first).toMatchObject({ bucket: 0, node: 'east:5432', size: { supporters: 0 } });
  await takeCalls(database.pool);
  expect(await ops('buckets', 'move', '1', 'east:5432')).toEqual({
    code: 0,
    said: 'Bucket 1 is on the node east:5432.\n',
  });
  expect((await ops('buckets', 'rebalance')).said).toMatch(
    /^Nodes already hold equal shares\.\n0 {2}east:5432 .*\n1 {2}east/,
  );
  expect(await takeCalls(database.pool)).toEqual(['citus_schema_move bucket_01 east 5432', 'citus_rebalance_start']);
});

test('a node that cannot be reached is named with what waits for it; the others are shown and audited', async () => {
  for (const uid of uidsInEachBucket(2, 1)) await aSupporter(database.pool, { uid });
  await ops('buckets', 'move', '1', 'west:5433');
  const comeBack = await silence(database.pool, 'bucket_00', 'east:5432');
  const status = await ops('status');
  expect(status.said).toMatch(
    /NO ANSWER {5}of the node east:5432 since .*: without its supporters, .* below; changes of clubs, closing days and remittances wait for it/,
  );
  expect(status.said).toContain('supporters    1');
  expect((await ops('buckets', 'list')).said).toMatch(
    /^0 {2}east:5432 {2}does not answer\n1 {2}west:5433 {2}1 supporters/,
  );
  for (const much of [['--changes'], []]) {
    const audit = await ops('audit', ...much);
    expect(audit.said).toContain('NOT CHECKED: the database node east:5432 of the Citus cluster is silent');
    expect(audit.said).toMatch(/\n0 violations\n?$/);
    expect(audit.code).toBe(1);
  }
  await comeBack();
  expect((await ops('status')).said).toMatch(/supporters {4}2\n(?!.*NO ANSWER)/s);
});
