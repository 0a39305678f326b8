// Kills the product, its database or an operator's command at random moments, again and again, and checks that nothing
// was lost or done twice: `npm run kill-loop -- --times 50 [--supporters 20] [--citus]`.
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { clusterUrls, dropEverything } from '@sparechange/server/testing/citus-database.ts';
import { nodesHere } from '../e2e/cluster-nodes.ts';
import { startKilling } from '../e2e/killing.ts';
import { aPlace } from '../e2e/product.ts';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '50' },
    supporters: { type: 'string', default: '20' },
    citus: { type: 'boolean', default: false },
  },
});
const times = Number(values.times);
const supporters = Number(values.supporters);
if (!Number.isInteger(times) || times < 1 || !Number.isInteger(supporters) || supporters < 1) {
  console.error('--times and --supporters take whole numbers from 1.');
  process.exit(2);
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const cluster = values.citus ? clusterUrls() : undefined;
const nodes = cluster ? nodesHere() : [];
if (values.citus && (!cluster || nodes.length === 0)) {
  say('Skipped: CITUS_URL or CITUS_DATA is not set. docs/testing.md says what they lead to.');
  process.exit(0);
}

const place = await aPlace();
if (cluster) {
  await dropEverything(cluster.url);
  place.env = {
    DATABASE_ENGINE: 'citus',
    DATABASE_URL: cluster.productUrl,
    DATABASE_OWNER_URL: cluster.url,
    BUCKETS: '4',
  };
}
const killing = await startKilling(place, supporters, Math.random, nodes);
let underWay = 0;
for (let time = 1; time <= times; time += 1) {
  const { victim, command, wasUnderWay } = await killing.round();
  if (wasUnderWay) underWay += 1;
  say(`${time}: killed the ${victim} ${wasUnderWay ? 'during' : 'after'} ops ${command}`);
}
const problems = await killing.finish();
for (const problem of problems) say(`VIOLATION: ${problem}`);
if (problems.length === 0) await rm(place.dataDir, { recursive: true, force: true });
else say(`the data directory is kept: ${place.dataDir}`);
say(`${times} kills, ${underWay} in the middle of something, ${problems.length} violations`);
process.exit(problems.length > 0 ? 1 : 0);
