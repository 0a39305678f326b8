import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Pool } from '#db/connect.ts';
import { listPasses } from '#features/bank-passes/pass-repository.ts';
import { listLastBookChecks } from '#features/bookkeeping/book-check-repository.ts';
import { readPlatformBooks } from '#features/bookkeeping/platform-accounts.ts';
import { missedRun } from '#features/debits/detect-missed-runs.ts';
import { findHalt } from '#features/debits/suspended-runs.ts';
import { countUnanswered } from '#features/payments/parked-payments.ts';
import type { Clock } from '#ports/clock.ts';
import { createMetrics, type Sample } from './metrics.ts';

/** Bounds at which a measure counts as good or poor (web.dev/articles/vitals) are among them. */
const webSeconds = [0.1, 0.2, 0.5, 0.8, 1, 1.8, 2.5, 4, 10];
const webShifts = [0.01, 0.05, 0.1, 0.25, 0.5, 1];

/** What an operator watches of this program, and of the database it shares with others. */
export type ProductMetrics = ReturnType<typeof productMetrics>;

export function productMetrics(db: Pool, clock: Clock) {
  const metrics = createMetrics();
  const delay = monitorEventLoopDelay({ resolution: 20 });
  const { gauge } = metrics;
  let inFlight = 0;

  gauge('process_resident_memory_bytes', 'Memory of this process.', () => [{ value: process.memoryUsage().rss }]);
  gauge('process_cpu_seconds_total', 'Processor time of this process.', () => {
    const { user, system } = process.cpuUsage();
    return [{ value: (user + system) / 1e6 }];
  });
  gauge('nodejs_eventloop_delay_seconds', 'Longest delay of the event loop since the last reading.', () => {
    const value = delay.max / 1e9;
    delay.reset();
    delay.enable();
    return [{ value }];
  });
  gauge('http_requests_in_flight', 'Requests being answered.', () => [{ value: inFlight }]);

  const counts = (rows: { name: string; value: number }[], label: string): Sample[] =>
    rows.map(({ name, value }) => ({ labels: { [label]: name }, value }));
  gauge('database_up', 'Whether the database answers.', () =>
    within(2_000, db`select 1`).then(
      () => [{ value: 1 }],
      () => [{ value: 0 }],
    ),
  );
  gauge('database_connections', 'Connections of all our programs, by what they do.', async () =>
    counts(
      await within(
        2_000,
        db<{ name: string; value: number }[]>`
        select coalesce(state, 'starting') as name, count(*)::int as value from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' group by 1`,
      ),
      'state',
    ),
  );
  gauge('queue_age_seconds', 'How long the oldest job that is due has been waiting.', async () =>
    counts(
      await within(
        2_000,
        db<{ name: string; value: number }[]>`
        select name, extract(epoch from now() - min(start_after))::float8 as value from pgboss.job
        where state < 'active' and start_after <= now() and name <> 'dead-letters' group by name`,
      ),
      'queue',
    ),
  );
  gauge('queue_length', 'Jobs that are due and waiting.', async () =>
    counts(
      await within(
        2_000,
        db<{ name: string; value: number }[]>`
        select name, count(*)::int as value from pgboss.job
        where state < 'active' and start_after <= now() and name <> 'dead-letters' group by name`,
      ),
      'queue',
    ),
  );
  gauge('jobs_failed', 'Jobs that are not tried again until an operator has looked, by queue.', async () =>
    counts(
      await within(
        2_000,
        db<{ name: string; value: number }[]>`
        select coalesce(source_name, 'unknown') as name, count(*)::int as value from pgboss.job
        where name = 'dead-letters' group by 1`,
      ),
      'queue',
    ),
  );
  gauge('notifications_open', 'Notifications of providers that are kept and not yet handled.', async () => {
    const [open] = await within(
      2_000,
      db<{ value: number }[]>`
      select count(*)::int as value from notifications where handled_at is null`,
    );
    return [{ value: open?.value ?? 0 }];
  });
  const debits = cachedFor(60_000, async () =>
    counts(
      await within(
        10_000,
        db<{ name: string; value: number }[]>`
        select state::text as name, count(*)::int as value from debits where run_date >= current_date - 14 group by 1`,
      ),
      'state',
    ),
  );
  const flag = (name: string, help: string, read: () => Promise<unknown>) =>
    gauge(name, help, async () => [{ value: (await within(2_000, read())) === undefined ? 0 : 1 }]);
  flag('debiting_halted', '1 while debiting is halted until an operator has looked.', () => findHalt(db));
  flag('debit_run_missed', '1 while the last debit run that was due has not happened.', () => missedRun(db, clock));
  const unanswered = cachedFor(60_000, () => within(10_000, countUnanswered(db)));
  gauge('payments_unknown', 'Payments without a conclusive answer that are asked for again, by kind.', async () =>
    (await unanswered()).map(({ kind, unknown: value }) => ({ labels: { kind }, value })),
  );
  gauge('payments_parked', 'Payments that are asked for no more until an operator has looked, by kind.', async () =>
    (await unanswered()).map(({ kind, parked: value }) => ({ labels: { kind }, value })),
  );
  gauge('tenants_stopped', 'Tenants whose supporters are not debited, by an operator.', async () => {
    const [stopped] = await within(2_000, db<{ value: number }[]>`select count(*)::int as value from stopped_tenants`);
    return [{ value: stopped?.value ?? 0 }];
  });
  const lastChecks = cachedFor(15_000, () => within(2_000, listLastBookChecks(db)));
  const ofEachCheck = (value: (check: Awaited<ReturnType<typeof lastChecks>>[number]) => number) => async () =>
    (await lastChecks()).map((check) => ({ labels: { check: check.kind }, value: value(check) }));
  gauge(
    'book_check_age_seconds',
    'Since the books were last audited, or compared with the provider.',
    ofEachCheck(({ startedAt }) => (clock.now().getTime() - startedAt.getTime()) / 1_000),
  );
  gauge(
    'book_check_found',
    'Violations, or payments that differ from the provider’s, that the last check found.',
    ofEachCheck(({ found }) => found),
  );
  gauge(
    'book_check_left_out',
    'Supporters that the last check had no time for.',
    ofEachCheck(({ leftOut }) => leftOut),
  );
  gauge('platform_balance_cents', 'Accounts of the platform at the end of the last closed day.', async () => {
    const { balances } = await within(2_000, readPlatformBooks(db));
    return Object.entries(balances).map(([account, value]) => ({ labels: { account }, value }));
  });
  gauge(
    'bank_link_failed_ratio',
    'Share of supporters whom the last pass has failed for until now, by task.',
    async () =>
      (await within(2_000, listPasses(db))).map(({ task, attempted, failed }) => ({
        labels: { task },
        value: failed / Math.max(1, attempted),
      })),
  );
  gauge('debits', 'Debits of the runs of the last 14 days, by state; at most a minute old.', debits);

  return {
    text: metrics.text,
    requests: metrics.counter('http_requests_total', 'Requests answered, by route and status.'),
    requestSeconds: metrics.histogram('http_request_duration_seconds', 'From the request to the end of its answer.'),
    jobs: metrics.counter('jobs_total', 'Jobs done or failed, by queue.'),
    jobSeconds: metrics.histogram('job_duration_seconds', 'How long jobs took, by queue.'),
    providerCalls: metrics.counter('provider_calls_total', 'Calls to outside services, each try, by outcome.'),
    providerSeconds: metrics.histogram('provider_call_duration_seconds', 'How long outside services took to answer.'),
    pageViews: metrics.counter('web_page_views_total', 'Screens that were shown, by route and tenant.'),
    webSeconds: metrics.histogram('web_vital_seconds', 'How fast screens are: TTFB, FCP, LCP and INP.', webSeconds),
    webShifts: metrics.histogram('web_layout_shift', 'How far screens move by themselves: CLS.', webShifts),
    began: () => {
      inFlight += 1;
    },
    ended: () => {
      inFlight -= 1;
    },
  };
}

/** Rejects when it takes longer: a reading of the metrics never waits for a database that hangs. */
function within<Value>(ms: number, wanted: PromiseLike<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  return Promise.race([wanted, promise]).finally(() => clearTimeout(timer));
}

function cachedFor<Value>(ms: number, read: () => Promise<Value>): () => Promise<Value> {
  let known: { value: Promise<Value>; until: number } | undefined;
  return async () => {
    if (!known || performance.now() > known.until) known = { value: read(), until: performance.now() + ms };
    const { value } = known;
    value.catch(() => (known = undefined));
    return value;
  };
}
