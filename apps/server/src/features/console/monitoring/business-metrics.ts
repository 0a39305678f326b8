import { addDays } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { controlAndBuckets, rowsOf, sumsOf } from '#db/in-each-bucket.ts';
import { findSilentNodes, withoutNodes } from '#db/silent-nodes.ts';
import { listLastBookChecks } from '#features/accounting/bookkeeping/book-check-repository.ts';
import { readPlatformBooks } from '#features/accounting/bookkeeping/platform-accounts.ts';
import { readUnanswered } from '#features/accounting/payments/parked-payments.ts';
import { missedRun } from '#features/collections/debits/detect-missed-runs.ts';
import { listRefusedRuns } from '#features/collections/debits/record-refusal.ts';
import { findSuspension } from '#features/collections/debits/suspended-runs.ts';
import { findOpenBreaker } from '#features/core/breakers/provider-breakers.ts';
import { findMailOutage } from '#features/core/outbox/mail-outages.ts';
import { countFailing, countSupporters, findOldestUntried } from '#features/core/supporter-work/watch-work.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { Reading } from '#telemetry/metrics.ts';
import { type ProductMetrics, productMetrics } from '#telemetry/product-metrics.ts';
import { cachedFor, kept, within } from '#telemetry/readings.ts';

async function countDebits(pool: Pool): Promise<Reading[]> {
  const count = (db: Db) => db<Reading[]>`
    select state as name, count(*)::int as value from debits where run_date >= current_date - 14 group by 1`;
  const byState = Map.groupBy(await rowsOf(pool.inBuckets(), count), ({ name }) => name);
  return [...byState].map(([name, counts]) => ({ name, ...sumsOf(counts.map(({ value }) => ({ value }))) }));
}

/**
 * Returns the metrics of this process with gauges of debits, payments, books and bank passes, read from the database.
 * Those of supporters leave out the buckets of silent nodes (docs/decisions/operation.md#metrics).
 */
export function businessMetrics(db: Pool, clock: Clock): ProductMetrics {
  const metrics = productMetrics(db);
  const { gauge, gaugeBy, limited } = metrics;
  const silentServers = cachedFor(5_000, () => findSilentNodes(db, 2_000));
  const answering = async () => withoutNodes(db, await silentServers());
  const keptOfAnswering = <Value>(ms: number, read: (pool: Pool) => Promise<Value>) =>
    kept(ms, async () => read(limited(await answering())));
  gauge('buckets_unread', 'Buckets that gauges of supporters leave out, as their server does not answer.', async () => {
    const { length } = (await answering()).inBuckets();
    return db.inBuckets().length - length;
  });
  const debits = keptOfAnswering(60_000, countDebits);
  const flag = (name: string, help: string, read: () => Promise<unknown>) =>
    gauge(name, help, async () => ((await within(2_000, read())) === undefined ? 0 : 1));
  flag('debiting_suspended', '1 while debiting is suspended until an operator has looked.', () => findSuspension(db));
  flag('debit_run_missed', '1 while the last debit run that was due has not happened.', () => missedRun(db, clock));
  flag('mail_server_unavailable', '1 while mails wait for the mail server.', () => findMailOutage(db));
  const unanswered = keptOfAnswering(60_000, readUnanswered);
  gaugeBy(
    'kind',
    'payments_unknown',
    'Payments without a conclusive answer that are asked for again, by kind.',
    async () => (await unanswered()).map(({ kind, unknown }) => ({ name: kind, value: unknown })),
  );
  gaugeBy('kind', 'payments_unknown_seconds', 'How long the oldest of them has had no conclusive answer.', async () =>
    (await unanswered()).map(({ kind, since }) => ({
      name: kind,
      value: since ? (clock.now().getTime() - since.getTime()) / 1_000 : 0,
    })),
  );
  gaugeBy(
    'kind',
    'payments_parked',
    'Payments that are asked for no more until an operator has looked, by kind.',
    async () => (await unanswered()).map(({ kind, parked }) => ({ name: kind, value: parked })),
  );
  const refusedRuns = keptOfAnswering(60_000, (pool) => listRefusedRuns(pool, addDays(today(clock), -3)));
  gauge('debits_refused_ratio', 'Share of the debits of a run of the last three days that was refused.', async () =>
    Math.max(0, ...(await refusedRuns()).map(({ refused, debits }) => refused / debits)),
  );
  const late = keptOfAnswering(60_000, async (pool) => {
    const anHourAgo = new Date(clock.now().getTime() - 3_600_000);
    const count = (db: Db) => db<{ late: number }[]>`
      select count(*)::int as late from mails
      where sent_at is null and given_up_at is null and recipient <> 'operator' and queued_at < ${anHourAgo}`;
    return sumsOf(await rowsOf(controlAndBuckets(pool), count)).late;
  });
  gauge('mails_late', 'Mails to supporters and clubs that have waited for more than an hour.', late);
  gauge('tenants_stopped', 'Tenants whose supporters are not debited, by an operator.', async () => {
    const [stopped] = await within(
      2_000,
      db<{ value: number }[]>`select count(*)::int as value from suspended_tenants`,
    );
    return stopped?.value ?? 0;
  });
  const lastChecks = kept(15_000, () => listLastBookChecks(limited(db)));
  const ofEachCheck = (value: (check: Awaited<ReturnType<typeof lastChecks>>[number]) => number) => async () =>
    (await lastChecks()).map((check) => ({ name: check.kind, value: value(check) }));
  gaugeBy(
    'check',
    'book_check_age_seconds',
    'Since the books were last audited, or compared with the provider.',
    ofEachCheck(({ startedAt }) => (clock.now().getTime() - startedAt.getTime()) / 1_000),
  );
  gaugeBy(
    'check',
    'book_check_found',
    'Violations, or payments that differ from the provider’s, that the last check found.',
    ofEachCheck(({ found }) => found),
  );
  gaugeBy(
    'check',
    'book_check_left_out',
    'Supporters that the last check had no time for.',
    ofEachCheck(({ leftOut }) => leftOut),
  );
  const books = kept(15_000, () => readPlatformBooks(limited(db)));
  gaugeBy(
    'account',
    'platform_balance_cents',
    'Accounts of the platform: payments until the end of the last closed day, corrections until now.',
    async () => Object.entries((await books()).balances).map(([name, value]) => ({ name, value })),
  );
  const failing = keptOfAnswering(60_000, (pool) => countFailing(pool, clock.now()));
  const supporters = keptOfAnswering(15 * 60_000, (pool) => countSupporters(pool, clock.now()));
  gaugeBy(
    'task',
    'bank_link_failed_ratio',
    'Share of supporters whose work through the bank link fails; counted each minute, of supporters counted each quarter of an hour.',
    async () => {
      const failed = await failing();
      if (failed.length === 0) return [];
      const of = await supporters();
      return failed.map(({ kind, failing }) => ({ name: kind, value: failing / Math.max(of.get(kind) ?? 0, failing) }));
    },
  );
  gaugeBy('task', 'supporter_work_parked', 'Supporters whose work has failed for a day.', async () =>
    (await failing()).map(({ kind, parked }) => ({ name: kind, value: parked })),
  );
  const oldest = keptOfAnswering(60_000, (pool) => findOldestUntried(pool, clock.now()));
  gauge('supporter_work_waiting_seconds', 'Since the longest waiting work was due that was never tried.', async () => {
    const since = await oldest();
    return since ? (clock.now().getTime() - since.getTime()) / 1_000 : 0;
  });
  flag('bank_link_breaker_open', '1 while the bank link answers nobody.', () => findOpenBreaker(db, 'bank_link'));
  flag('direct_debit_breaker_open', '1 while the provider answers no payment.', () =>
    findOpenBreaker(db, 'direct_debit'),
  );
  gaugeBy('state', 'debits', 'Debits of the runs of the last 14 days, by state; counted each minute.', debits);
  return metrics;
}
