import { availableParallelism, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { measureAudit } from './audit.ts';
import { measureFormer, ratiosOf } from './beside.ts';
import { measureIngest, measureSync } from './ingest.ts';
import { waitingEach } from './make-supporters.ts';
import { measureNextPlan, measurePlan } from './plan.ts';
import { measureSeam } from './seam.ts';
import { rounded } from './stopwatch.ts';
import { measureAssisted, measureSubmission } from './submit.ts';
import { measureSyncRate } from './sync.ts';
import { type SupportersDatabase, withSupporters } from './with-supporters.ts';

const parts = 'plan ingest submit sync audit api web statements console citus start peers mails simulate'.split(' ');

/** Reads the command line; ends with how it is used where it makes no sense. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        supporters: { type: 'string', default: '1000000' },
        runs: { type: 'string', default: '3' },
        only: { type: 'string' },
        buckets: { type: 'string', default: '1' },
        beside: { type: 'string' },
        short: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
      },
    });
    if (values.only !== undefined && !parts.includes(values.only))
      throw new Error(`There is no part '${values.only}'.`);
    if (!(Number.isSafeInteger(Number(values.supporters)) && Number(values.supporters) >= 100))
      throw new Error('--supporters is a number from 100 on.');
    if (!(Number(values.buckets) >= 1 && Number(values.buckets) <= 64)) throw new Error('--buckets is 1 to 64.');
    return values;
  } catch (error) {
    const parted = `--only ${parts.join('|')}`;
    process.stderr.write(
      `${(error as Error).message}\nnpm run bench -- [--supporters N] [--runs N] [--buckets N] [--beside COMMIT] [${parted}]\nnpm run bench -- --short [--keep]\n`,
    );
    process.exit(2);
  }
}

const options = readOptions();
if (options.short) {
  await (await import('./short.ts')).printRatios(options);
  process.exit();
}
const supporters = Number(options.supporters);
const runs = Number(options.runs);
const buckets = Number(options.buckets);
const wants = (part: string) => options.only === undefined || options.only === part;

function measureMoney(): Promise<Record<string, unknown>> {
  const measure = async ({ pool, tenants, folder, setUpSeconds }: SupportersDatabase) => {
    const plan = wants('plan') ? await measurePlan(pool, tenants, runs) : undefined;
    const ingest = wants('ingest') ? await measureIngest(pool, folder, runs) : undefined;
    const sync = ingest && (await measureSync(pool, Math.min(200, supporters / 20)));
    const nextPlan = plan && ingest && (await measureNextPlan(pool, tenants));
    return {
      ...(plan && { planRatio: plan.ratio }),
      ...(ingest && { ingestRatio: ingest.ratio }),
      rssMb: rounded(process.resourceUsage().maxRSS / 1024, 0), // the peak since this process began
      supporters,
      roundUps: supporters * waitingEach,
      setUpSeconds: rounded(setUpSeconds),
      plan,
      ingest,
      sync,
      nextPlan,
    };
  };
  return withSupporters(supporters, measure, { buckets });
}

/** 100,000 debits are wanted; some supporters cannot be debited. */
const maxSubmitted = 103_500;
/** Enough that the first seconds of a worker, when each connection plans its statements, count for little. */
const maxSynced = 8_000;

const money = wants('plan') || wants('ingest') ? await measureMoney() : {};
const submit = wants('submit')
  ? await withSupporters(Math.min(supporters, maxSubmitted), ({ pool, tenants }) => measureSubmission(pool, tenants), {
      buckets,
    })
  : undefined;
/** The processes share two cores with PostgreSQL: few, so that latency weighs most. */
const maxAssisted = 8_000;
const assisted =
  wants('submit') && buckets > 1 ? await measureAssisted(Math.min(supporters, maxAssisted), buckets) : undefined;
const syncRate = wants('sync')
  ? await withSupporters(
      Math.min(supporters, maxSynced),
      async (prepared) => ({
        ...(await measureSyncRate(prepared)),
        ...(buckets > 1 && { seam: await measureSeam(prepared.pool, prepared.url) }),
      }),
      { buckets },
    )
  : undefined;
/** Supporters with a history for the audit. */
const maxAudited = 20_000;
const audit = wants('audit')
  ? await withSupporters(Math.min(supporters, maxAudited), ({ pool }) => measureAudit(pool, runs))
  : undefined;
const api = wants('api') ? await (await import('./api.ts')).measureApi() : undefined;
/** Takes some two minutes; asked for by name alone. */
const statements =
  options.only === 'statements' ? await (await import('./statements.ts')).measureStatements() : undefined;
const web = wants('web') ? await (await import('./web.ts')).measureWeb() : undefined;
/** Supporters behind the console's pages; it is asked for by name alone. */
const maxLookedAt = 100_000;
const consoleCalls =
  options.only === 'console'
    ? await (await import('./console.ts')).measureConsole(Math.min(supporters, maxLookedAt))
    : undefined;
/** Enough to fill each bucket with whole batches. The cluster is measured only when it is named. */
const maxOnCluster = 8_000;
const citus =
  options.only === 'citus'
    ? await (await import('./citus.ts')).measureCitus(Math.min(supporters, maxOnCluster))
    : undefined;
/** Takes minutes of installing and building; asked for by name alone. */
const start =
  options.only === 'start' ? await (await import('./start.ts')).measureStarts(options.beside ?? 'c0216517') : undefined;
/** Needs the peers' files; asked for by name alone. */
const peers = options.only === 'peers' ? await (await import('./peers.ts')).measurePeers(supporters, runs) : undefined;
/** Enough that the seconds in which a worker's code is compiled count for little. */
const maxMailed = 20_000;
const mails =
  options.only === 'mails'
    ? await (await import('./mails.ts')).measureMails(Math.min(supporters, maxMailed), buckets)
    : undefined;
/** Enough that a day's tasks, which nobody adds to, weigh little. */
const maxSimulated = 50;
const simulate =
  options.only === 'simulate'
    ? await (await import('./simulate.ts')).measureSimulation(Math.min(supporters, maxSimulated), options.beside)
    : undefined;
const machine = {
  cores: availableParallelism(),
  memoryGb: rounded(totalmem() / 2 ** 30, 1),
  node: process.version,
  buckets,
};
const ofSubmit = submit && { submitRatio: submit.ratio, submit, ...(assisted && { assisted }) };
const ofAudit = audit && { auditRatio: audit.ratio, audit };
const ofApi = api && { apiRatio: api.ratio, api };
const ofWeb = web && { wireKb: web.loginKb, web };
const figures = {
  ...money,
  ...(syncRate && { syncRate }),
  ...ofSubmit,
  ...ofAudit,
  ...ofApi,
  ...ofWeb,
  ...(consoleCalls && { console: consoleCalls }),
  ...(statements && { statements }),
  ...(citus && { citus }),
  ...(start && { start }),
  ...(peers && { peers }),
  ...(mails && { mails }),
  ...(simulate && { simulate }),
};
/** The other commit is measured by its own bench, one after the other; two parts measure what it has without a bench. */
const former =
  options.beside && !start && !simulate
    ? await measureFormer(options.beside, [
        `--supporters=${supporters}`,
        `--runs=${runs}`,
        ...(options.only ? [`--only=${options.only}`] : []),
      ])
    : undefined;
const beside = former && options.beside && { [options.beside]: former, ratios: ratiosOf(figures, former) };
process.stdout.write(`${JSON.stringify({ ...figures, ...(beside && { beside }), machine }, null, 2)}\n`);
if (consoleCalls && consoleCalls.slow.length > 0) process.exitCode = 1;
