import { connect, type Pool } from '#db/connect.ts';
import type { ListedBucket } from '#db/list-buckets.ts';
import type { Runtime } from '#runtime/compose.ts';
import { CommandProblem } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';

/** Runs work as the owner of the database's tables. */
async function asOwner<Result>(runtime: Runtime, work: (owner: Pool) => Promise<Result>): Promise<Result> {
  const { db, databaseUrl, ownerUrl } = runtime;
  const owner = connect(ownerUrl ?? databaseUrl, { max: 3, name: 'sparechange moves', buckets: db.scope.buckets });
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

function numberOf(word: string): number {
  if (!/^\d{1,2}$/.test(word)) throw new CommandProblem('A bucket is a number, as `buckets list` shows it.');
  return Number(word);
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;

const lineOf = ({ bucket, node, size }: ListedBucket): string =>
  [
    `${bucket}`,
    ...(node === null ? [] : [node]),
    size ? `${size.supporters} supporters  ${megabytes(size.bytes)}` : 'does not answer',
  ].join('  ');

export function bucketCommands(buckets: OpsCommand): void {
  buckets
    .command('list')
    .description('the supporters and size of each bucket, and its node')
    .carryOut(async ({ db, engine }) => {
      const listed = await engine.listBuckets(db);
      return { json: listed, text: listed.map(lineOf).join('\n') };
    });
  buckets
    .command('move <bucket> <node>')
    .description('move a bucket to another node of a Citus cluster; run again if it was interrupted')
    .carryOut(async (runtime, [word = '', node = '']) => {
      const bucket = numberOf(word);
      await asOwner(runtime, (owner) => runtime.engine.moveBucket(owner, bucket, node));
      return { json: { bucket, node }, text: `Bucket ${bucket} is on the node ${node}.` };
    });
  buckets
    .command('rebalance')
    .description('let a Citus cluster move buckets until its nodes hold equal shares, and wait until it has')
    .carryOut(async (runtime) => {
      const became = await asOwner(runtime, (owner) => runtime.engine.rebalance(owner));
      const listed = await runtime.engine.listBuckets(runtime.db);
      const said = became === 'rebalanced' ? 'Buckets are rebalanced.' : 'Nodes already hold equal shares.';
      return { json: { became, buckets: listed }, text: [said, ...listed.map(lineOf)].join('\n') };
    });
}
