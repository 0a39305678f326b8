import { parseArgs } from 'node:util';
import { clusterUrls } from '@sparechange/server/testing/citus-database.ts';
import { openDatabase, openOnNodes } from './database.ts';
import { minDaysWithDebits, violationsOf } from './invariants/verdict.ts';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    supporters: { type: 'string', default: '20' },
    days: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    faults: { type: 'boolean', default: false },
    buckets: { type: 'string' },
    citus: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function wholeNumber(name: string, text: string, least: number, why = ''): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  console.error(`--${name} takes a whole number from ${least}${why}.`);
  process.exit(2);
}

if (values.help) {
  say('Plays the whole product against an in-process sandbox on a virtual clock.');
  say('  npm run simulate -- [--supporters N] [--days D] [--seed S] [--faults] [--buckets N] [--citus] [--quiet]');
  say(`  --days takes ${minDaysWithDebits} or more: in fewer it may be that nobody is debited, and nothing is tried.`);
  process.exit(0);
}

const supporters = wholeNumber('supporters', values.supporters, 1);
const days = wholeNumber('days', values.days, minDaysWithDebits, ', so that somebody is debited');
const seed = wholeNumber('seed', values.seed, 0);
const buckets = wholeNumber('buckets', values.buckets ?? (values.citus ? '4' : '1'), 1);
const { faults } = values;
const cluster = values.citus ? clusterUrls() : undefined;
if (values.citus && !cluster) {
  say('Skipped: CITUS_URL is not set. docs/testing.md says what it leads to.');
  process.exit(0);
}
const database = cluster ? await openOnNodes(cluster, buckets) : await openDatabase(buckets);
try {
  const onDay = (day: string, { days: done }: { days: number }) => {
    if (!values.quiet && (done + 1) % 10 === 0) say(`${day}: ${done + 1} days`);
  };
  const report = await simulate({ supporters, days, seed, faults, database, onDay });
  for (const [what, count] of [...report.counts].sort()) say(`${String(count).padStart(9)} ${what}`);
  const replay = `npm run simulate -- --supporters ${supporters} --days ${days} --seed ${seed}${faults ? ' --faults' : ''}${cluster ? ' --citus' : ''}${buckets > 1 ? ` --buckets ${buckets}` : ''}`;
  const violations = violationsOf(report);
  for (const { day, what } of violations) say(`VIOLATION with seed ${seed} on ${day}: ${what}\n  replay: ${replay}`);
  if (report.digest && !cluster) say(`digest ${report.digest}`);
  say(`${report.days} days, ${report.debits} debits, ${violations.length} violations`);
  process.exitCode = violations.length > 0 ? 1 : 0;
} finally {
  await database.close();
}
