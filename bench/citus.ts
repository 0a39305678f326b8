import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type IsoDate, isoDate } from '@sparechange/domain';
import { bucketOf } from '@sparechange/domain/bucket';
import { connect, type Db, type Pool } from '@sparechange/server/db/connect.ts';
import { startEmbedded } from '@sparechange/server/db/embedded.ts';
import { type EngineName, engines } from '@sparechange/server/db/engine.ts';
import { statementsOf } from '@sparechange/server/db/explain.ts';
import { prepareSchema } from '@sparechange/server/db/prepare-schema.ts';
import { runningCampaigns } from '@sparechange/server/features/beneficiaries/clubs/campaigns.ts';
import { debitCandidates } from '@sparechange/server/features/collections/debits/debit-candidates.ts';
import { planDebits } from '@sparechange/server/features/collections/debits/plan-debits.ts';
import { submitDebits } from '@sparechange/server/features/collections/debits/submit-debits.ts';
import { findUserRecordRow } from '@sparechange/server/features/supporters/profiles/user-record-repository.ts';
import { recordRoundUps } from '@sparechange/server/features/supporters/round-ups/record-round-ups.ts';
import { hasEnded, loadTenants, type Tenants } from '@sparechange/server/tenants/load-tenants.ts';
import { clusterUrls, dropEverything } from '@sparechange/server/testing/citus-database.ts';
import { makeClubs, makeIdFunction, makeSupporters, numbersIn } from './make-supporters.ts';
import { timeStatements } from './profile.ts';
import { numbers, type Payer, purchasesOf } from './purchases.ts';
import { slowDirectDebit } from './slow-providers.ts';
import { median, medianRatio, msOf, rounded, timed } from './stopwatch.ts';

const buckets = 16;
const purchasesEach = 30;
/** Supporters measured one after another; the others buy in batches. */
const lookedAt = 320;
const batchSize = 100;

const runDates = ['2026-11-25', '2026-11-27', '2026-11-30'].map(isoDate);
/** Not measured: its run's statements are counted and timed. */
const profiledRun = isoDate('2026-12-02');

/** One of the two databases, and its measurements. */
interface Side {
  name: EngineName;
  pool: Pool;
  startSeconds: number;
  /** The part of `startSeconds` that a cluster takes to distribute the buckets. */
  distributeSeconds: number;
  payers: Payer[];
  recordMs: number[];
  readMs: number[];
  planSeconds: number[];
  debitsASecond: number[];
}

async function prepare(
  name: EngineName,
  url: string,
  ownerUrl: string,
  supporters: number,
  keys: string[],
): Promise<Side> {
  const pool = connect(url, { name: 'sparechange bench', buckets });
  let distributeSeconds = 0;
  const engine = {
    ...engines[name],
    distribute: async (db: Pool) => {
      distributeSeconds = await timed(`${name}: distribution`, () => engines[name].distribute(db));
    },
  };
  const startSeconds = await timed(`${name}: first start`, () => prepareSchema(pool, ownerUrl, engine));
  const owner = connect(ownerUrl, { name: 'sparechange bench', buckets });
  await makeIdFunction(owner);
  await engines[name].distribute(owner);
  await makeClubs(owner);
  const payers: Payer[] = [];
  for (const [at, bucket] of owner.inBuckets().entries()) {
    await makeSupporters(bucket, numbersIn(at, buckets, supporters), keys);
    await bucket`update supporters set balance_floor_cents = 0`; // their banks are not asked
    payers.push(
      ...(await bucket<Payer[]>`
        select supporter_id as "supporterId", provider_account_id as "providerAccountId"
        from supporters join accounts using (supporter_id) where is_funding order by supporter_id`),
    );
  }
  await owner.end();
  const measured = { recordMs: [], readMs: [], planSeconds: [], debitsASecond: [] };
  return { name, pool, startSeconds, distributeSeconds, payers, ...measured };
}

/** Takes the same number from every bucket, and the rest. */
function divide(payers: Payer[]): { single: Payer[]; batches: Payer[][] } {
  const every = Math.max(1, Math.ceil(payers.length / lookedAt));
  const others = payers.filter((_, at) => at % every !== 0);
  const batches = Object.values(Object.groupBy(others, ({ supporterId }) => bucketOf(supporterId, buckets)));
  return {
    single: payers.filter((_, at) => at % every === 0),
    batches: batches.flatMap((of = []) =>
      Array.from({ length: Math.ceil(of.length / batchSize) }, (_, at) =>
        of.slice(at * batchSize, (at + 1) * batchSize),
      ),
    ),
  };
}

/**
 * Some supporters buy one after another and look at their figures, the others buy in batches; then a run is planned and
 * submitted to a provider that answers immediately.
 */
async function playRun(side: Side, tenants: Tenants, round: number, runDate: IsoDate): Promise<void> {
  const { pool } = side;
  const now = morningOf(runDate);
  const random = numbers(round + 1);
  const record: number[] = [];
  const read: number[] = [];
  const { single, batches } = divide(side.payers);
  await recordBatches(side, batches, round, now, random);
  for (const payer of single) {
    const purchases = purchasesOf([payer], round, purchasesEach, random);
    const bucket = pool.of(payer.supporterId);
    record.push(await msOf(() => recordRoundUps(bucket, now, purchases)));
    read.push(await msOf(() => findUserRecordRow(bucket, payer.supporterId, runDate)));
  }
  side.recordMs.push(median(record));
  side.readMs.push(median(read));
  side.planSeconds.push(await timed(`${side.name}: plan`, () => plan(side, tenants, runDate)));
  let submitted = 0;
  const seconds = await timed(`${side.name}: submit`, async () => {
    submitted = await submit(side, tenants, runDate);
  });
  side.debitsASecond.push(submitted / seconds);
}

/** Records the purchases of those who buy in batches. */
async function recordBatches(
  { pool }: Side,
  batches: Payer[][],
  round: number,
  now: Date,
  random: ReturnType<typeof numbers>,
): Promise<void> {
  for (const batch of batches)
    await recordRoundUps(pool.of(batch[0]?.supporterId ?? ''), now, purchasesOf(batch, round, purchasesEach, random));
}

/** That morning at 6 in Sydney. */
function morningOf(runDate: IsoDate): Date {
  const now = new Date(`${runDate}T00:00:00Z`);
  now.setUTCHours(-5);
  return now;
}

const plan = ({ pool }: Side, tenants: Tenants, runDate: IsoDate) =>
  planDebits(pool, { now: () => morningOf(runDate) }, tenants, runDate);

async function submit({ pool }: Side, tenants: Tenants, runDate: IsoDate): Promise<number> {
  const clock = { now: () => morningOf(runDate) };
  const bankLink = { balanceOf: async () => undefined };
  const deps = { db: pool, clock, tenants, bankLink, directDebit: slowDirectDebit(0), statementName: 'SPARECHANGE' };
  return (await submitDebits(deps)).submitted;
}

/** Profiles a further run on one side: its statements, and the time of the least statement that goes to a bucket. */
async function profileOf(side: Side, tenants: Tenants, round: number, runDate: IsoDate) {
  const { pool, payers } = side;
  await recordBatches(side, divide(payers).batches, round, morningOf(runDate), numbers(round + 1));
  const planned = await timeStatements(() => plan(side, tenants, runDate));
  const submitted = await timeStatements(() => submit(side, tenants, runDate));
  const [payer] = payers;
  const bucket = pool.of(payer?.supporterId ?? '');
  const least: number[] = [];
  for (let time = 0; time < leastTimes; time += 1)
    least.push(await msOf(() => bucket`select from debit_skips where supporter_id = ${payer?.supporterId ?? ''}`));
  return { plan: planned.slice(0, 5), submit: submitted.slice(0, 8), leastStatementMs: rounded(median(least), 3) };
}

const leastTimes = 300;

/** The cost of a statement before and after a node runs it, in milliseconds. */
interface Path {
  statement: string;
  /** On the coordinator, each time. */
  plannedMs: number;
  /** On the node, each time. */
  plannedAgainMs: number;
  executedMs: number;
}

/** A plan in PostgreSQL's own words; a cluster's has that of the node within. */
interface Explained {
  'Planning Time': number;
  'Execution Time': number;
  Plan: { 'Distributed Query'?: { Job: { Tasks: { 'Remote Plan': Explained[][] }[] } } };
}

/** Explains on the cluster what a read of a bucket sends, and where its time goes. */
async function explain(bucket: Db, read: (bucket: Db) => Promise<unknown>): Promise<Path[]> {
  const sent = await statementsOf(bucket, read);
  const paths: Path[] = [];
  for (const { text, ...sentWith } of sent) {
    const query = { ...sentWith, text: `explain (analyze, format json) ${text}`, isPrepared: false };
    const seen: Explained[] = [];
    for (let time = 0; time < explainedTimes; time += 1) {
      const [row] = (await bucket.session.run(query)) as unknown as {
        'QUERY PLAN': Explained[];
      }[];
      if (row?.['QUERY PLAN'][0]) seen.push(row['QUERY PLAN'][0]);
    }
    const onNode = seen.map((plan) => plan.Plan['Distributed Query']?.Job.Tasks[0]?.['Remote Plan'][0]?.[0]);
    paths.push({
      statement: text.trim().slice(0, 40),
      plannedMs: rounded(median(seen.map((plan) => plan['Planning Time']))),
      plannedAgainMs: rounded(median(onNode.map((plan) => plan?.['Planning Time'] ?? 0))),
      executedMs: rounded(median(onNode.map((plan) => plan?.['Execution Time'] ?? 0))),
    });
  }
  return paths;
}

const explainedTimes = 15;

/** Explains the reading of one supporter's figures, and of a bucket's candidates for a run. */
async function explainBoth({ pool, payers }: Side, tenants: Tenants) {
  const supporterId = payers[0]?.supporterId ?? '';
  const bucket = pool.of(supporterId);
  const running = await runningCampaigns(pool, tenants, profiledRun);
  return {
    read: await explain(bucket, (db) => findUserRecordRow(db, supporterId, profiledRun)),
    candidates: await explain(
      bucket,
      async (db) => db`with ${debitCandidates(db, profiledRun, running)} select count(*) from candidates`,
    ),
  };
}

/** Measures one supporter's statements, runs and the first start on a cluster beside one server, in turn; nothing without a cluster. */
export async function measureCitus(supporters: number) {
  const cluster = clusterUrls();
  if (!cluster) return { skipped: 'CITUS_URL is not set' };
  const tenants = await loadTenants(fileURLToPath(new URL('../tenants', import.meta.url)));
  const keys = tenants.list().flatMap((tenant) => (hasEnded(tenant, isoDate('2026-11-30')) ? [] : [tenant.key]));
  const folder = await mkdtemp(join(tmpdir(), 'sparechange-bench-'));
  const server = await startEmbedded(folder);
  const sides: Side[] = [];
  try {
    await dropEverything(cluster.url);
    const plain = await prepare('postgres', server.url, server.ownerUrl, supporters, keys);
    sides.push(plain);
    const citus = await prepare('citus', cluster.productUrl, cluster.url, supporters, keys);
    sides.push(citus);
    for (const [round, runDate] of runDates.entries())
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) await playRun(side, tenants, round, runDate);
    const ratioOf = (figures: (side: Side) => number[]) => rounded(medianRatio(figures(citus), figures(plain)));
    const shown = (side: Side) => ({
      startSeconds: rounded(side.startSeconds),
      distributeSeconds: rounded(side.distributeSeconds),
      recordMs: side.recordMs.map((ms) => rounded(ms)),
      readMs: side.readMs.map((ms) => rounded(ms)),
      planSeconds: side.planSeconds.map((seconds) => rounded(seconds)),
      debitsASecond: side.debitsASecond.map((debits) => rounded(debits, 0)),
    });
    return {
      buckets,
      supporters: citus.payers.length,
      startRatio: rounded(citus.startSeconds / plain.startSeconds),
      recordRatio: ratioOf((side) => side.recordMs),
      readRatio: ratioOf((side) => side.readMs),
      planRatio: ratioOf((side) => side.planSeconds),
      debitsRatio: ratioOf((side) => side.debitsASecond),
      ...(await explainBoth(citus, tenants)),
      profile: {
        citus: await profileOf(citus, tenants, runDates.length, profiledRun),
        postgres: await profileOf(plain, tenants, runDates.length, profiledRun),
      },
      citus: shown(citus),
      postgres: shown(plain),
    };
  } finally {
    for (const { pool } of sides) await pool.end();
    await server.release();
    await rm(folder, { recursive: true });
  }
}
