import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isoDate } from '@sparechange/domain';
import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { type EmbeddedDatabase, startEmbedded } from '@sparechange/server/db/embedded.ts';
import { migrate } from '@sparechange/server/db/migrate.ts';
import { hasEnded, loadTenants, type Tenants } from '@sparechange/server/tenants/load-tenants.ts';
import { measureAudit } from './audit.ts';
import { measureIngest, measureSync } from './ingest.ts';
import { makeEarlierDebits, makeSupporters, makeWaitingRoundUps, waitingEach } from './people.ts';
import { measureNextPlan, measurePlan } from './plan.ts';
import { rounded, timed } from './stopwatch.ts';
import { measureSubmission } from './submit.ts';
import { measureSyncRate } from './sync.ts';

const { values: options } = parseArgs({
  options: {
    supporters: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});
const applicationName = 'sparechange bench';
const supporters = Number(options.supporters);
const runs = Number(options.runs);
const wants = (part: string) => options.only === undefined || options.only === part;
if (!Number.isSafeInteger(supporters) || supporters < 100) throw new Error('--supporters is a number from 100 on');

async function setUp(pool: Pool, people: number, tenantKeys: string[]): Promise<number> {
  return timed(`set up ${people} supporters with ${people * waitingEach} round-ups`, async () => {
    await migrate(pool);
    await timed('  supporters', () => makeSupporters(pool, people, tenantKeys));
    await timed('  earlier debits', () => makeEarlierDebits(pool));
    await timed('  round-ups', () => makeWaitingRoundUps(pool));
    await timed('  vacuum', () => pool`vacuum analyze`);
  });
}

/** Ends the database's work on Control-C and leaves nothing behind. */
async function stopEarly(database: EmbeddedDatabase, folder: string): Promise<never> {
  process.on('uncaughtException', () => {}); // connections break in the middle of whatever they do
  const admin = connect(database.ownerUrl, { max: 1 });
  await admin`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = ${applicationName}`;
  await admin.end();
  await database.release();
  await rm(folder, { recursive: true });
  process.exit(130);
}

/** Runs work on a temporary database of so many people. */
async function withPeople<Result>(
  people: number,
  work: (pool: Pool, tenants: Tenants, folder: string, setUpSeconds: number, url: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'sparechange-bench-'));
  const database = await startEmbedded(folder);
  const pool = connect(database.ownerUrl, { name: applicationName });
  const stop = () => stopEarly(database, folder);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const tenants = await loadTenants(fileURLToPath(new URL('../tenants', import.meta.url)));
    const running = tenants.list().filter((tenant) => !hasEnded(tenant, isoDate('2026-11-30')));
    const keys = running.map((tenant) => tenant.key);
    return await work(pool, tenants, folder, await setUp(pool, people, keys), database.ownerUrl);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await pool.end();
    await database.release();
    await rm(folder, { recursive: true });
  }
}

function measureMoney(): Promise<Record<string, unknown>> {
  return withPeople(supporters, async (pool, tenants, folder, setUpSeconds) => {
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
  });
}

/** 100,000 debits are wanted; some supporters cannot be debited. */
const maxSubmitted = 103_500;
const maxSynced = 2_000;

const money = wants('plan') || wants('ingest') ? await measureMoney() : {};
const submit = wants('submit')
  ? await withPeople(Math.min(supporters, maxSubmitted), (pool, tenants) => measureSubmission(pool, tenants))
  : undefined;
const syncRate = wants('sync')
  ? await withPeople(Math.min(supporters, maxSynced), (pool, _tenants, _folder, _seconds, url) =>
      measureSyncRate(pool, url),
    )
  : undefined;
/** Whose history is made for the audit. */
const maxAudited = 2_000;
const audit = wants('audit')
  ? await withPeople(Math.min(supporters, maxAudited), (pool) => measureAudit(pool, runs))
  : undefined;
const api = wants('api') ? await (await import('./api.ts')).measureApi() : undefined;
const web = wants('web') ? await (await import('./web.ts')).measureWeb() : undefined;
const machine = { cores: availableParallelism(), memoryGb: rounded(totalmem() / 2 ** 30, 1), node: process.version };
const ofSubmit = submit && { submitRatio: submit.ratio, submit };
const ofAudit = audit && { auditRatio: audit.ratio, audit };
const ofApi = api && { apiRatio: api.ratio, api };
const ofWeb = web && { wireKb: web.loginKb, web };
process.stdout.write(
  `${JSON.stringify({ ...money, ...(syncRate && { syncRate }), ...ofSubmit, ...ofAudit, ...ofApi, ...ofWeb, machine }, null, 2)}\n`,
);
