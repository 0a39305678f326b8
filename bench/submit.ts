import { cents, isoDate } from '@sparechange/domain';
import type { Pool } from '@sparechange/server/db/connect.ts';
import { rowsOf } from '@sparechange/server/db/in-each-bucket.ts';
import { planDebits } from '@sparechange/server/features/collections/debits/plan-debits.ts';
import { submitDebits } from '@sparechange/server/features/collections/debits/submit-debits.ts';
import { pollOutcomes } from '@sparechange/server/features/collections/outcomes/poll-outcomes.ts';
import { makeLog } from '@sparechange/server/telemetry/log.ts';
import type { Tenants } from '@sparechange/server/tenants/load-tenants.ts';
import { timeOf } from '@sparechange/server/testing/timetable.ts';
import { slowDirectDebit } from './slow-providers.ts';
import { startPart } from './start-part.ts';
import { rounded, timed } from './stopwatch.ts';
import { type SupportersDatabase, withSupporters } from './with-supporters.ts';

const latencyMs = 150;
const runDate = isoDate('2026-11-30');
const clock = { now: () => timeOf('debit-run', runDate) };

/** A batch's time, and the debits handed over before it. */
interface Handover {
  at: number;
  before: number;
}

/** Returns the mean seconds a debit between two shares of a run, 0.9 and 1 for its last tenth; NaN if both are in one batch. */
function secondsEach(handovers: Handover[], debits: number, from: number, until: number): number {
  const first = handovers.find(({ before }) => before >= debits * from);
  const last = handovers.find(({ before }) => before >= debits * until) ?? handovers.at(-1);
  if (!first || !last || first === last) return Number.NaN;
  return (last.at - first.at) / 1_000 / (last.before - first.before);
}

/** Books the round-ups that wait, as recording them does. */
export const bookPledges = (pool: Pool) => pool`
  insert into ledger_entries (supporter_id, kind, source, account, cents, club_id, booked_on)
  select supporter_id, 'recorded', md5('pledge ' || supporter_id)::uuid, leg.account, pledge.cents * leg.sign, supporter.club_id,
    '2026-11-20'
  from (select supporter_id, sum(counted_cents)::bigint as cents from round_ups group by 1 having sum(counted_cents) > 0) pledge
  join supporters supporter using (supporter_id)
  cross join (values ('pledged'::ledger_account, 1), ('promised', -1)) as leg (account, sign)`;

/** Plans a run of everybody who can be debited. */
async function planEverybody(pool: Pool, tenants: Tenants): Promise<void> {
  for (const bucket of pool.inBuckets()) {
    await bucket`update supporters set balance_floor_cents = 0`;
    await timed('submit: pledges', () => bookPledges(bucket));
  }
  await timed('submit: plan', () => planDebits(pool, clock, tenants, runDate, cents(1_000_000_000_00)));
  // Vacuum runs beforehand, as in the middle of a long run it would change the statistics from one tenth to the next.
  await timed('submit: analyze', () => pool`vacuum analyze`);
}

/** Submits a run by its leader and others that assist, each a process of its own; returns debits a second. */
async function debitsASecond({ pool, tenants, url }: SupportersDatabase, workers: number): Promise<number> {
  await planEverybody(pool, tenants);
  const options = { buckets: pool.scope.buckets, latency: latencyMs };
  const parts = await Promise.all(
    Array.from({ length: workers }, (_, at) => startPart(at === 0 ? 'lead' : 'assist', url, options)),
  );
  const start = performance.now();
  const ends = await Promise.all(parts.map(({ go }) => go()));
  const done = ends.reduce((sum, end) => sum + end.done, 0);
  for (const { end } of parts) end();
  return rounded(done / ((performance.now() - start) / 1_000), 1);
}

/** Measures debits a second at a provider's latency, with one worker and with two. */
export async function measureAssisted(supporters: number, buckets: number) {
  const of = (workers: number) =>
    withSupporters(supporters, (prepared) => debitsASecond(prepared, workers), { buckets });
  const [oneWorker, twoWorkers] = [await of(1), await of(2)];
  return { latencyMs, oneWorker, twoWorkers, ratio: rounded(twoWorkers / oneWorker) };
}

/** Lists the provider's references of all that is submitted. */
export const listSubmitted = async (pool: Pool): Promise<string[]> => {
  const open = await rowsOf(
    pool.inBuckets(),
    (bucket) => bucket<{ ref: string }[]>`select provider_ref as ref from debits where state = 'submitted' order by id`,
  );
  return open.map(({ ref }) => ref);
};

/** Books that these debits have cleared; returns outcomes a second. */
export async function bookCleared(pool: Pool, refs: string[]): Promise<number> {
  const at = new Date('2026-12-01T18:30:00Z');
  async function* outcomesSince() {
    for (const ref of refs) yield { providerRef: ref, state: 'cleared' as const, at };
  }
  const log = makeLog('error', 'bench', process.stderr);
  const deps = { db: pool, clock: { now: () => at }, log, directDebit: { ...slowDirectDebit(0), outcomesSince } };
  let cleared = 0;
  const seconds = await timed('submit: pollOutcomes', async () => {
    cleared = (await pollOutcomes(deps)).cleared;
  });
  if (cleared !== refs.length) throw new Error(`${cleared} of ${refs.length} debits were cleared.`);
  return rounded(refs.length / seconds, 0);
}

/** Plans a run of everybody and submits it to a provider that answers immediately. */
export async function submitEverybody(pool: Pool, tenants: Tenants): Promise<void> {
  await planEverybody(pool, tenants);
  await submitDebits({ ...submitDeps(pool, tenants), directDebit: slowDirectDebit(0) });
}

const submitDeps = (pool: Pool, tenants: Tenants) => ({
  db: pool,
  clock,
  tenants,
  bankLink: { balanceOf: async () => undefined },
  statementName: 'SPARECHANGE',
});

/** Plans a run of everybody and submits it: what a debit costs at the end of the run beside what it cost at the start. */
export async function measureSubmission(pool: Pool, tenants: Tenants) {
  await planEverybody(pool, tenants);
  const handovers: Handover[] = [];
  let debits = 0;
  let taken = 0;
  const directDebit = slowDirectDebit(0, (orders) => {
    handovers.push({ at: performance.now(), before: taken });
    taken += orders.length;
  });
  const deps = { ...submitDeps(pool, tenants), directDebit };
  const seconds = await timed('submit: submitDebits', async () => {
    debits = (await submitDebits(deps)).submitted;
  });
  handovers.push({ at: performance.now(), before: debits });
  const outcomesASecond = await bookCleared(pool, await listSubmitted(pool));
  const [first, last] = [secondsEach(handovers, debits, 0, 0.1), secondsEach(handovers, debits, 0.9, 1)];
  return {
    ratio: rounded(last / first),
    debits,
    seconds: rounded(seconds),
    firstTenthMs: rounded(first * 1_000, 3),
    lastTenthMs: rounded(last * 1_000, 3),
    outcomesASecond,
  };
}
