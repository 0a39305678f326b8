import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type IsoDate, isoDate } from '@sparechange/domain';
import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { startEmbedded } from '@sparechange/server/db/embedded.ts';
import { type EngineName, engines } from '@sparechange/server/db/engine.ts';
import { prepareSchema } from '@sparechange/server/db/prepare-schema.ts';
import { planDebits } from '@sparechange/server/features/debits/plan-debits.ts';
import { submitDebits } from '@sparechange/server/features/debits/submit-debits.ts';
import { recordRoundUps } from '@sparechange/server/features/round-ups/record-round-ups.ts';
import { findUserRecordRow } from '@sparechange/server/features/supporters/user-record-repository.ts';
import { hasEnded, loadTenants, type Tenants } from '@sparechange/server/tenants/load-tenants.ts';
import { clusterUrls, dropEverything } from '@sparechange/server/testing/citus-database.ts';
import { makeClubs, makeIdFunction, makeSupporters, numbersIn } from './make-supporters.ts';
import { numbers, type Payer, purchasesOf } from './purchases.ts';
import { slowDirectDebit } from './slow-providers.ts';
import { median, medianRatio, msOf, rounded, timed } from './stopwatch.ts';

const buckets = 16;
const purchasesEach = 30;

/** The days of the runs. */
const runDates = ['2026-11-25', '2026-11-27', '2026-11-30'].map(isoDate);

/** One of the two databases, and what was measured on it. */
interface Side {
  name: EngineName;
  pool: Pool;
  startSeconds: number;
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
  const startSeconds = await timed(`${name}: first start`, () => prepareSchema(pool, ownerUrl, engines[name]));
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
  return { name, pool, startSeconds, payers, recordMs: [], readMs: [], planSeconds: [], debitsASecond: [] };
}

/** Supporters buy one after another and look at their figures; then a run is planned and submitted to a provider that answers at once. */
async function playRun(side: Side, tenants: Tenants, round: number, runDate: IsoDate): Promise<void> {
  const { pool } = side;
  const now = new Date(`${runDate}T00:00:00Z`);
  now.setUTCHours(-5); // that morning in Sydney
  const random = numbers(round + 1);
  const record: number[] = [];
  const read: number[] = [];
  for (const payer of side.payers) {
    const purchases = purchasesOf([payer], round, purchasesEach, random);
    const bucket = pool.of(payer.supporterId);
    record.push(await msOf(() => recordRoundUps(bucket, now, purchases)));
    read.push(await msOf(() => findUserRecordRow(bucket, payer.supporterId, runDate)));
  }
  side.recordMs.push(median(record));
  side.readMs.push(median(read));
  const clock = { now: () => now };
  side.planSeconds.push(await timed(`${side.name}: plan`, () => planDebits(pool, clock, tenants, runDate)));
  let submitted = 0;
  const bankLink = { balanceOf: async () => undefined };
  const deps = { db: pool, clock, tenants, bankLink, directDebit: slowDirectDebit(0), statementName: 'SPARECHANGE' };
  const seconds = await timed(`${side.name}: submit`, async () => {
    submitted = (await submitDebits(deps)).submitted;
  });
  side.debitsASecond.push(submitted / seconds);
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
      citus: shown(citus),
      postgres: shown(plain),
    };
  } finally {
    for (const { pool } of sides) await pool.end();
    await server.release();
    await rm(folder, { recursive: true });
  }
}
