import { connect } from '#db/connect.ts';
import type { ListedBucket } from '#db/list-buckets.ts';
import type { MoveDeps } from '#db/move-bucket.ts';
import type { Runtime } from '#runtime/compose.ts';
import { CommandProblem, type OpsCommand } from './operate.ts';

/** Runs work as the owner of the database's tables. */
async function asOwner<Result>(runtime: Runtime, work: (deps: MoveDeps) => Promise<Result>): Promise<Result> {
  const { db, databaseUrl, owners } = runtime;
  const { buckets } = db.scope;
  const name = 'sparechange moves';
  const owner = connect(owners.control ?? databaseUrl, { max: 3, name, buckets, servers: owners.servers ?? {} });
  try {
    return await work({ db, owner });
  } finally {
    await owner.end();
  }
}

function numberOf(word: string): number {
  if (!/^\d{1,2}$/.test(word)) throw new CommandProblem('A bucket is a number, as `buckets list` shows it.');
  return Number(word);
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;

const lineOf = ({ bucket, server, movingTo, formerServer, size }: ListedBucket): string =>
  [
    `${bucket}  ${server}`,
    size ? `${size.supporters} supporters  ${megabytes(size.bytes)}` : 'does not answer',
    ...(movingTo ? [`on its way to ${movingTo}`] : []),
    ...(formerServer ? [`former copy on ${formerServer}`] : []),
  ].join('  ');

export function bucketCommands(program: OpsCommand): void {
  const buckets = program.command('buckets').description('buckets of supporters, and the servers that hold them');
  buckets
    .command('list')
    .description('the server, supporters and size of each bucket')
    .carryOut(async ({ db, engine }) => {
      const listed = await engine.listBuckets(db);
      return { json: listed, text: listed.map(lineOf).join('\n') };
    });
  buckets
    .command('move <bucket> <server>')
    .description('move a bucket to another server, or node of a cluster. Run again after it was broken off')
    .carryOut(async (runtime, [word = '', to = '']) => {
      const bucket = numberOf(word);
      const { became, leavesCopy } = await asOwner(runtime, (deps) => runtime.engine.moveBucket(deps, bucket, to));
      const where = `Bucket ${bucket} ${became === 'moved' ? 'is' : 'stays'} on the server ${to}.`;
      const former = leavesCopy ? ` Its former copy is kept until: buckets drop-former ${bucket}` : '';
      return { json: { bucket, server: to, became }, text: `${where}${former}` };
    });
  buckets
    .command('rebalance')
    .description('let a Citus cluster move buckets until its nodes hold equal shares, and wait until it has')
    .carryOut(async (runtime) => {
      const became = await asOwner(runtime, (deps) => runtime.engine.rebalance(deps));
      const listed = await runtime.engine.listBuckets(runtime.db);
      const said = became === 'rebalanced' ? 'Buckets are spread anew.' : 'Nodes hold equal shares already.';
      return { json: { became, buckets: listed }, text: [said, ...listed.map(lineOf)].join('\n') };
    });
  buckets
    .command('drop-former <bucket>')
    .description('delete what a bucket that was moved left on its former server')
    .carryOut(async (runtime, [word = '']) => {
      const bucket = numberOf(word);
      const server = await asOwner(runtime, (deps) => runtime.engine.dropFormer(deps, bucket));
      return {
        json: { bucket, dropped: server },
        text: `The server ${server} has no copy of bucket ${bucket} any more.`,
      };
    });
}
