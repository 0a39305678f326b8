import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Pool } from '#db/connect.ts';
import { findHalt } from '#features/debits/halted-runs.ts';
import { missedRun } from '#features/debits/watch-runs.ts';
import type { Clock } from '#ports/clock.ts';
import { createMetrics, type Sample } from './metrics.ts';

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
        where state < 'active' and start_after <= now() group by name`,
      ),
      'queue',
    ),
  );
  gauge('queue_length', 'Jobs that are due and waiting.', async () =>
    counts(
      await within(
        2_000,
        db<{ name: string; value: number }[]>`
        select name, count(*)::int as value from pgboss.job where state < 'active' and start_after <= now() group by name`,
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
  gauge('tenants_stopped', 'Tenants whose supporters are not debited, by an operator.', async () => {
    const [stopped] = await within(2_000, db<{ value: number }[]>`select count(*)::int as value from stopped_tenants`);
    return [{ value: stopped?.value ?? 0 }];
  });
  gauge('debits', 'Debits of the runs of the last 14 days, by state; at most a minute old.', debits);

  return {
    text: metrics.text,
    requests: metrics.counter('http_requests_total', 'Requests answered, by route and status.'),
    requestSeconds: metrics.duration('http_request_duration_seconds', 'From the request to the end of its answer.'),
    jobs: metrics.counter('jobs_total', 'Jobs done or failed, by queue.'),
    jobSeconds: metrics.duration('job_duration_seconds', 'How long jobs took, by queue.'),
    providerCalls: metrics.counter('provider_calls_total', 'Calls to outside services, each try, by outcome.'),
    providerSeconds: metrics.duration('provider_call_duration_seconds', 'How long outside services took to answer.'),
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
