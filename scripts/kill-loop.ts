// Kills the product, its database or an operator's command at random moments, again and again, and checks that nothing
// was lost or done twice: `npm run kill-loop -- --times 50 [--supporters 20]`.
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startKilling } from '../e2e/killing.ts';
import { aPlace } from '../e2e/product.ts';

const { values } = parseArgs({
  options: { times: { type: 'string', default: '50' }, supporters: { type: 'string', default: '20' } },
});
const times = Number(values.times);
const supporters = Number(values.supporters);
if (!Number.isInteger(times) || times < 1 || !Number.isInteger(supporters) || supporters < 1) {
  console.error('--times and --supporters take whole numbers from 1.');
  process.exit(2);
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const place = await aPlace();
const killing = await startKilling(place, supporters, Math.random);
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
