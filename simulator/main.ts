import { parseArgs } from 'node:util';
import { progress } from '@sparechange/server/ops/show-progress.ts';
import { clusterUrls } from '@sparechange/server/testing/citus-database.ts';
import { commandOf, readNames, readNumbers } from './command.ts';
import { openDatabase, openOnNodes } from './database.ts';
import { faultKinds } from './faults/faults.ts';
import { minDaysWithDebits, violationsOf } from './invariants/verdict.ts';
import type { SimulationReport } from './play.ts';
import { leftOut, optionsOf, type RunOptions, shrinkRun } from './shrink-run.ts';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    supporters: { type: 'string', default: '20' },
    days: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    faults: { type: 'boolean', default: false },
    people: { type: 'string' },
    kinds: { type: 'string' },
    'no-shrink': { type: 'boolean', default: false },
    buckets: { type: 'string' },
    citus: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function say(line: string): void {
  progress.clear();
  process.stdout.write(`${line}\n`);
}

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}

function wholeNumber(name: string, text: string, least: number, why = ''): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  return refuse(`--${name} takes a whole number from ${least}${why}.`);
}

if (values.help) {
  say('Plays the whole product against an in-process sandbox on a virtual clock.');
  say(
    '  npm run simulate -- [--supporters N] [--days D] [--seed S] [--faults] [--kinds LIST] [--people LIST] [--no-shrink] [--buckets N] [--citus] [--quiet]',
  );
  say(`  --days takes ${minDaysWithDebits} or more: in fewer it may be that nobody is debited, and nothing is tried.`);
  say(`  --people takes numbers of supporters, such as 3,7: the others stay away, and the life of these is the same.`);
  say(`  --kinds takes some of ${faultKinds.map((kind) => kind.replaceAll(' ', '-')).join(',')}.`);
  say(
    '  A violation is shrunk to the fewest supporters, days and faults that show it; --no-shrink leaves it as it is.',
  );
  process.exit(0);
}

const supporters = wholeNumber('supporters', values.supporters, 1);
const days = wholeNumber('days', values.days, minDaysWithDebits, ', so that somebody is debited');
const seed = wholeNumber('seed', values.seed, 0);
const buckets = wholeNumber('buckets', values.buckets ?? (values.citus ? '4' : '1'), 1);
const { faults } = values;
const only = values.people === undefined ? undefined : readNumbers(values.people, supporters);
if (values.people !== undefined && !only)
  refuse(`--people takes numbers from 1 to ${supporters}, with commas between.`);
const kinds = values.kinds === undefined ? undefined : readNames(values.kinds, faultKinds);
if (values.kinds !== undefined && !(kinds && faults))
  refuse(
    `--kinds goes with --faults and takes some of ${faultKinds.map((kind) => kind.replaceAll(' ', '-')).join(',')}.`,
  );
const cluster = values.citus ? clusterUrls() : undefined;
if (values.citus && !cluster) {
  say('Skipped: CITUS_URL is not set. docs/testing.md says what it leads to.');
  process.exit(0);
}
const options: RunOptions = { supporters, days, seed, faults, ...(only && { only }), ...(kinds && { kinds }) };
const command = (run: RunOptions) => commandOf({ ...run, buckets, isOnCluster: cluster !== undefined });

async function play(): Promise<SimulationReport> {
  const database = cluster ? await openOnNodes(cluster, buckets) : await openDatabase(buckets);
  progress.begin('Making the database …');
  const onDay = (day: string, { days: done }: { days: number }) => {
    progress.say({ words: `Day ${done + 1} of ${days}, ${day}`, share: (done + 1) / days });
    if (!values.quiet && (done + 1) % 10 === 0) say(`${day}: ${done + 1} days`);
  };
  try {
    return await simulate({ ...options, database, onDay });
  } finally {
    progress.end();
    await database.close();
  }
}

const report = await play();
for (const [what, count] of [...report.counts].sort()) say(`${String(count).padStart(9)} ${what}`);
const violations = violationsOf(report);
for (const { day, what } of violations)
  say(`VIOLATION with seed ${seed} on ${day}: ${what}\n  replay: ${command(options)}`);
if (report.digest && !cluster) say(`digest ${report.digest}`);
say(`${report.days} days, ${report.debits} debits, ${violations.length} violations`);
process.exitCode = violations.length > 0 ? 1 : 0;
if (report.violations.length > 0 && !cluster && !values['no-shrink']) {
  say('Looking for a smaller run that shows it.');
  progress.begin('Looking for a smaller run …');
  const shrunk = await shrinkRun(options, report, () => openDatabase(buckets)).finally(progress.end);
  say(leftOut(options, shrunk));
  say(`smallest: ${command(optionsOf(options, shrunk.smallest))}\n  which shows: ${shrunk.found.what}`);
}
